/* stands for Zephyr's header */
int k_msleep(int ms);
