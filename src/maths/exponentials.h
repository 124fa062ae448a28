/* Several exponentials side by side; not installed. */
#ifndef BRISTLE_EXPONENTIALS_H
#define BRISTLE_EXPONENTIALS_H

enum { EXPONENTIALS = 8 };
/* Each becomes its exponential, with the bits of same_exp; all lie between -700 and 700. */
void same_exponentials(double x[EXPONENTIALS]);

#endif
