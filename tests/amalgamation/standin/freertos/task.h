/* stands for the header of ESP-IDF's FreeRTOS */
void vTaskDelay(unsigned ticks);
void app_main(void);
