/* The version of a function that every glibc has had since its port to the processor. */
#ifdef __x86_64__
#define OLDEST "GLIBC_2.2.5"
#elif defined __aarch64__
#define OLDEST "GLIBC_2.17"
#else
#error "which version of glibc was the first on this processor?"
#endif

/* older_NAME is the oldest function of that name in the C library */
#define OLDER(name, function) __asm__(".symver older_" #name ", " #function "@" OLDEST)
