/* Friction in the plane and in space: the laws of bristle.h with slip, force and bristle as vectors.
 *
 *   #include <bristle/vector.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     const bristle_vector_model *law = bristle_vector_law_find("coulomb")->f64[0]; // in a plane
 *     double p[BRISTLE_LAW_SIZE], state[BRISTLE_LAW_SIZE] = { 0 }, force[2], v_end[2];
 *     bristle_defaults(law->info, p);
 *     law->step(p, state, &(bristle_vector_input){ .v = { 0.3, 0.4 }, .n = 1, .h = 1e-3 }, force, v_end);
 *     printf("%.1f N, %.1f N\n", force[0], force[1]);
 *   }
 * It prints "0.6 N, 0.8 N".
 *
 * A vector law is the scalar law's own file compiled for 2 or 3 dimensions: same parameters, same tables. Along a
 * straight line it is the scalar law; turned, it turns with the axes. Its states are given in the frame of the
 * contact: when that frame turns, turn them (rotate), and keep them in the tangent plane (project).
 */
#ifndef BRISTLE_VECTOR_H
#define BRISTLE_VECTOR_H

#include "bristle/bristle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two-dimensional laws use the first two components. */
typedef struct bristle_vector_input {
  double v[3];    /* slip velocity; for step: at the end of the step if there were no friction */
  double n;       /* normal load */
  double f[3];    /* applied tangential force; used at rest by laws that really stick, with prescribed motion */
  double w[3][3]; /* step: compliance, positive (symmetric for one body): v_end = v - w F; all zero = the motion is
                     prescribed */
  double h;       /* step: its length, > 0 */
  bristle_load load;
} bristle_vector_input;

/* Many contacts: component k of contact i is v[k*count + i], likewise f, v_end and the states. */
typedef struct bristle_vector_batch {
  size_t count;
  const double *p; /* nparam shared values, or nparam*count when per_contact is set */
  int per_contact;
  double *s;
  const double *v;
  const double *n; /* count, or NULL for 1 */
  double h;
  bristle_load load;
  double *f;
} bristle_vector_batch;

typedef struct bristle_vector_model {
  const bristle_info *info;
  int dim;
  void (*eval)(const double *p, const double *s, const bristle_vector_input *in, double *force, double *rate);
  void (*step)(const double *p, double *s, const bristle_vector_input *in, double *force, double *v_end);
  void (*steady)(const double *p, const bristle_vector_input *in, double *force);
  double (*energy)(const double *p, const double *s, const bristle_vector_input *in);
  bristle_mode (*mode)(const double *p, const double *s, const bristle_vector_input *in);
  /* The contact frame has turned by r (components in the new frame = r * components in the old). */
  void (*rotate)(double *s, const double r[3][3]);
  /* Removes what points along the unit normal (3-D laws of contacts in a plane). */
  void (*project)(double *s, const double normal[3]);
  /* Prescribed motion. A contact of a batch has the bits of its single step; only elasto_plastic, made for patches of
     many cells, has a cheaper step for batches, which meets the single one with second order in h. */
  void (*step_n)(const bristle_vector_batch *b);
  /* Relations between parameters, as in bristle_model. */
  int (*rules)(const double *p, bristle_breach *out, int max);
} bristle_vector_model;

/* Exact derivatives; directions are ordered v[dim], n, states, parameters. Matrices are row-major, one row for
   each component of the force (dim) or each state (nstate), `directions` columns. */
typedef struct bristle_vector_diff {
  int directions;
  void (*eval)(const double *p, const double *s, const bristle_vector_input *in, double *force, double *rate,
               double *df, double *drate);
  void (*step)(const double *p, double *s, const bristle_vector_input *in, double *force, double *v_end, double *df,
               double *ds);
} bristle_vector_diff;

/* The same in single precision. */
typedef struct bristle_vector_input_f32 {
  float v[3], n, f[3], w[3][3], h;
  bristle_load load;
} bristle_vector_input_f32;

typedef struct bristle_vector_batch_f32 {
  size_t count;
  const float *p;
  int per_contact;
  float *s;
  const float *v, *n;
  float h;
  bristle_load load;
  float *f;
} bristle_vector_batch_f32;

typedef struct bristle_vector_model_f32 {
  const bristle_info *info;
  int dim;
  void (*eval)(const float *p, const float *s, const bristle_vector_input_f32 *in, float *force, float *rate);
  void (*step)(const float *p, float *s, const bristle_vector_input_f32 *in, float *force, float *v_end);
  void (*steady)(const float *p, const bristle_vector_input_f32 *in, float *force);
  float (*energy)(const float *p, const float *s, const bristle_vector_input_f32 *in);
  bristle_mode (*mode)(const float *p, const float *s, const bristle_vector_input_f32 *in);
  void (*rotate)(float *s, const float r[3][3]);
  void (*project)(float *s, const float normal[3]);
  void (*step_n)(const bristle_vector_batch_f32 *b);
} bristle_vector_model_f32;

/* The vector laws: coulomb, stribeck, tanh, dahl, lugre, lugre_bounded, lugre_ellipse, elasto_plastic, gms; dim is 2
 * or 3. */
typedef struct bristle_vector_law {
  const char *name;
  const bristle_vector_model *f64[2];     /* [dim - 2] */
  const bristle_vector_model_f32 *f32[2]; /* NULL in a library that was built without BRISTLE_VECTOR_F32, the default */
  const bristle_vector_diff *diff[2];
} bristle_vector_law;

/* The parameters of a vector law: bounds, whole options, rules, as bristle_check does for scalar laws. */
bristle_status bristle_vector_check(const bristle_vector_model *model, const double *p, bristle_error *error);

int bristle_vector_law_count(void);
const bristle_vector_law *bristle_vector_law_at(int index);
const bristle_vector_law *bristle_vector_law_find(const char *name);

/* A contact: a law with its parameters, and what the normal load does to them. It is constant. Its states, its load and
 * its motion stand beside it, in whatever it is a part of. */
typedef struct bristle_contact {
  const bristle_law *law;           /* of contacts along a line */
  const bristle_vector_law *vector; /* of contacts in the plane and in space; what is not needed may be NULL */
  bristle_load load;
  const double *p;
} bristle_contact;

#ifdef __cplusplus
}
#endif
#endif
