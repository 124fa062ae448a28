/* Reset on a Cortex-M4F: switch the floating-point unit on, then the C library's own start. */
#include <stdint.h>

extern uint32_t stack_top;
void _start(void);
void reset(void);
void fault(void);

typedef union vector {
  const void *stack;
  void (*handler)(void);
} vector;

__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
  { .stack = &stack_top }, { .handler = reset }, { .handler = fault }, { .handler = fault },
  { .handler = fault },    { .handler = fault }, { .handler = fault },
};

void reset(void)
{
  volatile uint32_t *const coprocessors = (volatile uint32_t *)0xe000ed88; /* CPACR */
  *coprocessors |= 0xfu << 20;
  __asm volatile("dsb\n\tisb");
  _start();
}

/* ends the emulator with an error: semihosting call SYS_EXIT, reason "run-time error" */
void fault(void)
{
  register uint32_t call __asm("r0") = 0x18;
  register uint32_t reason __asm("r1") = 0x20023;
  __asm volatile("bkpt 0xab" : : "r"(call), "r"(reason) : "memory");
  for (;;) {}
}
