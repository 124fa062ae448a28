/* stands for the header of ESP-IDF's FreeRTOS */
#define pdMS_TO_TICKS(ms) (ms)
