/* The 27 nonlinear problems of the NIST Statistical Reference Datasets. A model is written once, for complex numbers in
   extended precision: a step along the imaginary axis gives derivatives without cancellation. */
#ifndef TEST_FIT_NIST_H
#define TEST_FIT_NIST_H

#include <complex.h>

typedef long double complex nist_number;
typedef nist_number nist_model(const nist_number *b, const long double *x);

typedef struct nist_problem {
  const char *name;
  nist_model *model; /* y; of Nelson: ln y */
  int observations, columns, parameters;
  const char *data;    /* y x or y x1 x2 for each observation */
  const char *answers; /* start 1, start 2, certified value, its standard deviation for each parameter */
  const char *squares, *noise;
} nist_problem;

nist_model nist_model_misra1a, nist_model_misra1b, nist_model_misra1c, nist_model_misra1d, nist_model_chwirut,
    nist_model_lanczos, nist_model_gauss, nist_model_danwood, nist_model_kirby2, nist_model_cubics, nist_model_nelson,
    nist_model_mgh17, nist_model_roszman1, nist_model_enso, nist_model_mgh09, nist_model_mgh10, nist_model_rat42,
    nist_model_rat43, nist_model_eckerle4, nist_model_bennett5;

extern const nist_problem nist_misra1a, nist_chwirut2, nist_chwirut1, nist_lanczos3, nist_gauss1, nist_gauss2,
    nist_danwood, nist_misra1b;
extern const nist_problem nist_kirby2, nist_hahn1, nist_nelson, nist_mgh17, nist_lanczos1, nist_lanczos2, nist_gauss3,
    nist_misra1c, nist_misra1d, nist_roszman1, nist_enso;
extern const nist_problem nist_mgh09, nist_thurber, nist_boxbod, nist_rat42, nist_mgh10, nist_eckerle4, nist_rat43,
    nist_bennett5;

#endif
