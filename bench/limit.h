/* The limit of one core, measured beside what is to come near it. */
#ifndef LIMIT_H
#define LIMIT_H

/* Runs `rounds` of fused multiply-adds, in double or single precision; *count: how many. The result must be used. */
double limit_run(int avx512, int single, int rounds, double *count);

#endif
