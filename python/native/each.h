/* Entry points of one contact over arrays, for languages in which a loop is slow: what bristle_batch has no loop for.
 * An array of inputs may be NULL: x, f, a and w are then 0, n is 1. States and per-contact parameters lie as in
 * bristle_batch: number k of contact i is s[k*count + i]. */
#ifndef BRISTLE_EACH_H
#define BRISTLE_EACH_H

#include "bristle/vector.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct bristle_each {
  size_t count;
  const double *p;
  int per_contact;
  double *s;
  const double *v, *x, *n, *f, *a, *w;
  double h;
  bristle_load load;
  double *force, *v_end; /* out; v_end may be NULL */
  double *rate;          /* out of eval; may be NULL */
} bristle_each;

typedef struct bristle_each_f32 {
  size_t count;
  const float *p;
  int per_contact;
  float *s;
  const float *v, *x, *n, *f, *a, *w;
  float h;
  bristle_load load;
  float *force, *v_end;
  float *rate;
} bristle_each_f32;

void bristle_each_eval(const bristle_model *model, const bristle_each *each);
void bristle_each_step(const bristle_model *model, const bristle_each *each);
void bristle_each_steady(const bristle_model *model, const bristle_each *each);
void bristle_each_energy(const bristle_model *model, const bristle_each *each);
void bristle_each_mode(const bristle_model *model, const bristle_each *each, signed char *mode);

void bristle_each_eval_f32(const bristle_model_f32 *model, const bristle_each_f32 *each);
void bristle_each_step_f32(const bristle_model_f32 *model, const bristle_each_f32 *each);
void bristle_each_steady_f32(const bristle_model_f32 *model, const bristle_each_f32 *each);
void bristle_each_energy_f32(const bristle_model_f32 *model, const bristle_each_f32 *each);
void bristle_each_mode_f32(const bristle_model_f32 *model, const bristle_each_f32 *each, signed char *mode);

/* Derivatives: direction d of contact i is df[d*count + i], of its state k ds[(k*directions + d)*count + i]. */
void bristle_each_diff_eval(const bristle_model *model, const bristle_diff *diff, const bristle_each *each, double *df,
                            double *drate);
void bristle_each_diff_step(const bristle_model *model, const bristle_diff *diff, const bristle_each *each, double *df,
                            double *ds);

/* Contacts in the plane or in space: component k of contact i is v[k*count + i], likewise forces, end velocities and
   states; w is one matrix dim x dim for all, row by row, or NULL for prescribed motion. */
typedef struct bristle_each_vector {
  size_t count;
  const double *p, *v, *n, *w;
  double *s;
  double h;
  bristle_load load;
  double *force, *v_end, *rate;
} bristle_each_vector;

void bristle_each_vector_eval(const bristle_vector_model *model, const bristle_each_vector *each);
void bristle_each_vector_step(const bristle_vector_model *model, const bristle_each_vector *each);
void bristle_each_vector_steady(const bristle_vector_model *model, const bristle_each_vector *each);

/* bristle_check for each contact; the place of the first that fails, or count. */
size_t bristle_each_check(const bristle_model *model, const bristle_each *each, bristle_error *error);

/* For a check that the reader of these headers lays out structures as the compiler does. */
size_t bristle_each_sizes(size_t *sizes, size_t room);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
