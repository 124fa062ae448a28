/* stands for Zephyr's header */
void printk(const char *format, ...);
