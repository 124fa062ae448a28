/* Bristle: every friction law from Coulomb to generalised Maxwell slip, exact, and stable when coupled.
 * Conventions. The friction force F is a resistance: in sliding it has the sign of the velocity, and the body feels -F.
 * SI units; linear and rotary contacts share the code (N -> N m, m -> rad). Nothing here allocates, prints or keeps
 * hidden state: parameters, states and results live in the caller's arrays. Threads: so any number of them may call
 * anything at once, as long as no two share memory that one of them writes; laws and parameters may be shared.
 * A law is a constant descriptor (bristle_model). Its parameters and states are plain arrays of numbers in the order of
 * the tables in bristle_info; bristle/params.h gives the same arrays names (bristle_lugre p;). A law's functions check
 * nothing (h > 0, w >= 0, no NULL but where said); bristle_check and bristle_check_input check all of it beforehand.
 *
 *   #include <bristle/bristle.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     const bristle_model *law = bristle_law_find("lugre")->f64;
 *     double p[BRISTLE_LAW_SIZE], state[BRISTLE_LAW_SIZE] = { 0 }, force = 0;
 *     bristle_defaults(law->info, p);
 *     const bristle_input in = { .v = 0.1, .n = 1, .h = 1e-3 };
 *     for (int i = 0; i < 1000; i++) force = law->step(p, state, &in, NULL);
 *     printf("%.2f N\n", force);
 *   }
 * It prints "1.04 N".
 */
#ifndef BRISTLE_H
#define BRISTLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a law follows the normal load. Declared for each call, never chosen silently. */
typedef enum bristle_load {
  BRISTLE_LOAD_FORCE,       /* the load is ignored; parameters carry the units of the table */
  BRISTLE_LOAD_COEFFICIENT, /* F = load * law: every unit with N in it is divided by N */
  BRISTLE_LOAD_LEVEL        /* only rows whose unit is N scale with the load; stiffness and damping stay */
} bristle_load;

typedef enum bristle_mode { BRISTLE_MODE_STUCK, BRISTLE_MODE_PRESLIDING, BRISTLE_MODE_SLIDING } bristle_mode;

/* What a law promises; tests/conformance.c holds it to each of these. */
enum {
  BRISTLE_TRAIT_ODD = 1,         /* F(-v, -x, -state) = -F(v, x, state) */
  BRISTLE_TRAIT_STICKS = 2,      /* holds a load below its static level without creep */
  BRISTLE_TRAIT_RATE_FREE = 4,   /* F depends on the path, not on how fast it is travelled */
  BRISTLE_TRAIT_STEADY = 8,      /* a steady force exists for every constant velocity */
  BRISTLE_TRAIT_ENERGY = 16,     /* stored energy is defined */
  BRISTLE_TRAIT_PASSIVE = 32,    /* never gives back more than it stored, for every admissible parameter set */
  BRISTLE_TRAIT_SET_VALUED = 64, /* at v = 0 any force between two levels is possible: rest is exact */
  BRISTLE_TRAIT_SMOOTH =
      128, /* while v keeps its sign, force and rates are functions of v, x, n and states that all flow */
  BRISTLE_TRAIT_ACCELERATION = 256, /* eval reads in->a: speeding up and slowing down are different */
  BRISTLE_TRAIT_AFFINE = 512,       /* for given motion its one state goes by affine maps, with its usual exponents */
  BRISTLE_TRAIT_ONE_LEVEL =
      1024 /* switches depend on the level: a step while a load moves the level does not converge */
};

/* What kind of number a row holds. */
typedef enum bristle_row_kind {
  BRISTLE_ROW_LINEAR, /* parameter, natural scale */
  BRISTLE_ROW_LOG,    /* parameter, positive, best searched on a logarithmic scale */
  BRISTLE_ROW_OPTION, /* parameter, whole number that selects a variant; no derivative */
  BRISTLE_ROW_FLOW,   /* state with a rate, continuous in time */
  BRISTLE_ROW_JUMP    /* state that only a step changes: flags, timers and memories */
} bristle_row_kind;

/* What a parameter is, whatever its law calls it: fits, advice and natural scales go by this. */
typedef enum bristle_role {
  BRISTLE_ROLE_NONE,            /* states */
  BRISTLE_ROLE_LEVEL,           /* N: friction in sliding */
  BRISTLE_ROLE_STATIC_LEVEL,    /* N: friction that must be overcome to slide */
  BRISTLE_ROLE_EXCESS_LEVEL,    /* N: a level on top of another one, or taken off it */
  BRISTLE_ROLE_OFFSET,          /* N: a force that does not turn with the motion */
  BRISTLE_ROLE_STIFFNESS,       /* N/m: of the contact before it slides */
  BRISTLE_ROLE_DAMPING,         /* N*s/m: of the contact before it slides */
  BRISTLE_ROLE_VISCOUS,         /* N*s/m: in proportion to the speed of sliding */
  BRISTLE_ROLE_DRAG,            /* force per power of the speed that is not 1 */
  BRISTLE_ROLE_STRIBECK_SPEED,  /* m/s: where friction falls from the static level */
  BRISTLE_ROLE_STRIBECK_FALL,   /* s/m: the same per unit speed */
  BRISTLE_ROLE_SMOOTHING_SPEED, /* m/s: below it a law only imitates rest */
  BRISTLE_ROLE_SMOOTHING_RISE,  /* s/m: the same per unit speed */
  BRISTLE_ROLE_FADING_SPEED,    /* m/s: damping fades above it */
  BRISTLE_ROLE_EXPONENT,        /* 1: shape of a curve */
  BRISTLE_ROLE_POWER,           /* 1: power of the speed that friction rises with */
  BRISTLE_ROLE_SHARE,           /* 1: of one element in the whole */
  BRISTLE_ROLE_RATIO,           /* 1: any other pure number */
  BRISTLE_ROLE_LENGTH,          /* m: travel before the contact slides, or part of it */
  BRISTLE_ROLE_PER_LENGTH,      /* 1/m: the same per unit length */
  BRISTLE_ROLE_TIME,            /* s: memory, dwell */
  BRISTLE_ROLE_RATE,            /* 1/s: the same per unit time */
  BRISTLE_ROLE_FORCE_RATE,      /* N/s: how fast a force is regained */
  BRISTLE_ROLE_SETTING,         /* known from the host, never from a force */
  BRISTLE_ROLE_CHOICE,          /* selects a variant */
  BRISTLE_ROLE_SKEW             /* 1: how far the two directions of motion differ */
} bristle_role;

/* One row of a parameter or state table. `count` > 1 is a vector. */
typedef struct bristle_row {
  const char *name, *unit, *doc;
  bristle_row_kind kind;
  bristle_role role;
  int first, count;      /* place in the flat array */
  const double *initial; /* `count` default values */
  double lo, hi;         /* admissible range, ends included */
} bristle_row;

/* Another law that this one becomes for some of its parameters. Lists of "name = value": a value is a product and
   quotient of numbers and parameters of this law, "f1/ef". */
typedef struct bristle_reduction {
  const char *law;  /* the other one */
  const char *when; /* what this law's parameters must be */
  const char *then; /* what the other's are, where they do not simply have the same name */
} bristle_reduction;

/* What must hold between parameters; a, b, c are places in the flat array. */
typedef enum bristle_relation_kind {
  BRISTLE_RELATION_AT_LEAST,    /* a >= b */
  BRISTLE_RELATION_ABOVE,       /* a > b */
  BRISTLE_RELATION_BELOW_RATIO, /* a < b/c */
  BRISTLE_RELATION_SUM_IS_ONE   /* the elements of the row at a sum to 1 */
} bristle_relation_kind;

typedef struct bristle_relation {
  bristle_relation_kind kind;
  int a, b, c;
} bristle_relation;

typedef struct bristle_info {
  const char *name, *title, *equations, *use, *limits, *source;
  unsigned traits;
  bristle_load load;          /* the load form the default parameters are meant for */
  int nparam, nstate;         /* lengths of the flat arrays */
  int param_rows, state_rows; /* lengths of the tables */
  const bristle_row *param, *state;
  int reductions;
  const bristle_reduction *reduction; /* special cases that are laws of their own */
  const bristle_relation *relation;
  int relations;
} bristle_info;

/* What a host tells a contact. Unused fields may be left zero; n = 0 means no load, not "no opinion". */
typedef struct bristle_input {
  double v; /* relative velocity; for step: the velocity at the end of the step if there were no friction */
  double x; /* relative position (for step: at its start) */
  double n; /* normal load; the transmitted torque for the gear law */
  double f; /* applied tangential force; used at rest by laws that really stick, when otherwise unknown */
  double a; /* acceleration; used by eval of the laws whose force depends on speeding up or slowing down */
  double w; /* step: velocity lost per unit friction force over the step (h/m); 0 = the motion is prescribed */
  double h; /* step: its length, > 0 */
  bristle_load load;
} bristle_input;

/* Many contacts at once, as structure of arrays: state k of contact i is s[k*count + i]. */
typedef struct bristle_batch {
  size_t count;
  const double *p; /* nparam values shared by all, or nparam*count when per_contact is set */
  int per_contact;
  double *s;           /* nstate*count */
  const double *v;     /* count */
  const double *x, *n; /* count, or NULL for x = 0, n = 1 */
  const double *w;     /* step: count, or NULL for prescribed motion */
  double h;            /* step */
  bristle_load load;
  double *f;     /* out: friction forces */
  double *v_end; /* step, out: end velocities, or NULL */
  double *rate;  /* eval, out: state rates, nstate*count */
} bristle_batch;

/* A rule that a parameter set breaks, or a warning about it. */
typedef struct bristle_breach {
  const char *param, *rule;
  double value;
} bristle_breach;

typedef struct bristle_model {
  const bristle_info *info;
  /* Force and state rates at an instant. */
  double (*eval)(const double *p, const double *s, const bristle_input *in, double *rate);
  /* One step: advances s, returns the mean force F; the end velocity in->v - in->w*F goes to *v_end (may be NULL). It
     is the only one while w dF/dv > -1; of several in longer steps usually, not always, the one nearest to rest. */
  double (*step)(const double *p, double *s, const bristle_input *in, double *v_end);
  /* Force after a long time at constant velocity (info->traits says whether it exists). */
  double (*steady)(const double *p, const bristle_input *in);
  /* Energy stored in the contact. */
  double (*energy)(const double *p, const double *s, const bristle_input *in);
  bristle_mode (*mode)(const double *p, const double *s, const bristle_input *in);
  void (*eval_n)(const bristle_batch *b);
  void (*step_n)(const bristle_batch *b); /* bits of step; BRISTLE_FAST: a few roundings off, docs/scale.md */
  /* Relations between parameters: the number broken, the first `max` of them written out. */
  int (*rules)(const double *p, bristle_breach *out, int max);
  /* Warnings that are no errors; in->w and in->h may be zero when no step is planned. */
  int (*advice)(const double *p, const bristle_input *in, bristle_breach *out, int max);
} bristle_model;

/* Exact derivatives, generated from the law's own text. Directions are ordered v, x, n, states, parameters.
   A matrix has one row of `directions` numbers for each state. A coupled step that ends on a jump of the law (Karnopp's
   dv, Threlfall's v0) takes the place of the jump as given: there the force follows the host, dF/dv = 1/w, and the
   other derivatives of F are 0. */
enum { BRISTLE_D_V, BRISTLE_D_X, BRISTLE_D_N, BRISTLE_D_STATE };
typedef struct bristle_diff {
  int directions; /* 3 + nstate + nparam */
  double (*eval)(const double *p, const double *s, const bristle_input *in, double *rate, double *df, double *drate);
  double (*step)(const double *p, double *s, const bristle_input *in, double *v_end, double *df, double *ds);
  /* One step of the forward sensitivities: ds (nstate x nparam) is d state / d parameter, updated in place;
     df (nparam) is d F / d parameter. The host's velocity is taken as given. */
  double (*sensitivity)(const double *p, double *s, const bristle_input *in, double *v_end, double *df, double *ds);
  /* df of the force at an instant, the states having come to depend on the parameters by ds. */
  double (*instant)(const double *p, const double *s, const bristle_input *in, double *df, const double *ds);
  /* eval with respect to v, x, n and the states only: 3 + nstate columns. */
  double (*jacobian)(const double *p, const double *s, const bristle_input *in, double *rate, double *df,
                     double *drate);
} bristle_diff;

/* The same in single precision. */
typedef struct bristle_input_f32 {
  float v, x, n, f, a, w, h;
  bristle_load load;
} bristle_input_f32;

typedef struct bristle_batch_f32 {
  size_t count;
  const float *p;
  int per_contact;
  float *s;
  const float *v, *x, *n, *w;
  float h;
  bristle_load load;
  float *f, *v_end, *rate;
} bristle_batch_f32;

typedef struct bristle_model_f32 {
  const bristle_info *info;
  float (*eval)(const float *p, const float *s, const bristle_input_f32 *in, float *rate);
  float (*step)(const float *p, float *s, const bristle_input_f32 *in, float *v_end);
  float (*steady)(const float *p, const bristle_input_f32 *in);
  float (*energy)(const float *p, const float *s, const bristle_input_f32 *in);
  bristle_mode (*mode)(const float *p, const float *s, const bristle_input_f32 *in);
  void (*eval_n)(const bristle_batch_f32 *b);
  void (*step_n)(const bristle_batch_f32 *b);
} bristle_model_f32;

/* The registry: every law of the library. */
typedef struct bristle_law {
  const char *name;
  const bristle_model *f64;
  const bristle_model_f32 *f32;
  const bristle_diff *diff;
} bristle_law;

int bristle_law_count(void);
const bristle_law *bristle_law_at(int index);          /* NULL outside 0..count-1 */
const bristle_law *bristle_law_find(const char *name); /* NULL if there is none */
const char *bristle_law_nearest(const char *name);     /* the closest name, for error messages */
/* The same law with its own friction for each direction of motion: two parameters more, at the end of the table.
   Forwards every level is 1 + level_skew times as high, backwards 1 - level_skew times; viscous_skew does the same to
   the viscous coefficient. Stiffness, damping, speeds and states are those of the law, so a contact still gives back
   only what it stored. Its batches go contact by contact. */
const bristle_law *bristle_law_skewed(const bristle_law *law);

/* Tables. */
void bristle_defaults(const bristle_info *info, double *p);
const bristle_row *bristle_param_find(const bristle_info *info, const char *name);
/* The first row of a role, or NULL; and the row that a place of the flat array belongs to. */
const bristle_row *bristle_param_role(const bristle_info *info, bristle_role role);
const bristle_row *bristle_param_at(const bristle_info *info, int place);
/* The unit of a row in a load form, linear or rotary: "N/m" -> "1/m", "N*m/rad". Writes at most `size` bytes. */
void bristle_unit(const bristle_row *row, bristle_load load, int rotary, char *text, size_t size);
/* Exact conversion of a parameter set between load forms at the load n > 0. */
void bristle_convert(const bristle_info *info, const double *from, bristle_load from_load, double *to,
                     bristle_load to_load, double n);

/* Checks. A failed check fills *error and changes nothing else; bristle/text.h turns it into a sentence. */
typedef enum bristle_status {
  BRISTLE_STATUS_OK,
  BRISTLE_STATUS_NOT_FINITE,   /* NaN or infinite */
  BRISTLE_STATUS_OUT_OF_RANGE, /* outside the table's bounds */
  BRISTLE_STATUS_NOT_WHOLE,    /* an option that is no whole number */
  BRISTLE_STATUS_RULE_BROKEN   /* a relation between parameters */
} bristle_status;

typedef struct bristle_error {
  bristle_status status;
  const char *model, *field, *rule;
  int index; /* element of a vector, or -1 */
  double value, lo, hi;
} bristle_error;

bristle_status bristle_check(const bristle_model *model, const double *p, bristle_error *error);
bristle_status bristle_check_input(const bristle_model *model, const bristle_input *in, int step, bristle_error *error);

/* Values by role, for hosts that serve every law. */

enum { BRISTLE_LAW_SIZE = 64 }; /* no law has more parameters, or more states */

/* The value of the first row of a role, `missing` where the law has none. Of a vector, its first element. */
double bristle_role_value(const bristle_info *law, const double *p, bristle_role role, double missing);
/* Friction that must be overcome to slide: the static level, or the level with what is on top of it; 0: unknown. */
double bristle_static_level(const bristle_info *law, const double *p);
/* Stiffness before sliding, of a vector law that along the first axis; 0: unknown, or spread over several elements. */
double bristle_stiffness(const bristle_info *law, const double *p);
/* A copy of the parameters (nparam) without anything on top of the level: friction in sliding only. */
void bristle_sliding_only(const bristle_info *law, const double *p, double *copy);
/* The first speed in the table at which the law changes, by its Stribeck curve or by smoothing; NULL: none. */
const bristle_row *bristle_law_speed(const bristle_info *law);
/* The exponent of the curve over that speed: its row comes right after it. 2, a Gaussian, where there is none. */
double bristle_law_exponent(const bristle_info *law, const double *p);

#ifdef __cplusplus
}
#endif
#endif
