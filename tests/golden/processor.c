/* Stands for libgcc's look at the processor, so that one build shows the batch loops of every instruction set: clones
 * are chosen by these words when the program is loaded. PROCESSOR is the best set that this one claims to have. */
enum { AVX2 = 1 << 10, AVX512F = 1 << 15, baseline = 0, avx2 = AVX2, avx512 = AVX2 | AVX512F };

struct processor {
  unsigned vendor, type, subtype, features[1];
};
extern struct processor __cpu_model;
extern unsigned __cpu_features2[8];
extern int __cpu_indicator_init(void);

struct processor __cpu_model = { 1, 0, 0, { PROCESSOR } };
unsigned __cpu_features2[8];
int __cpu_indicator_init(void) { return 0; }
