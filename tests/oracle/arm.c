/* The network beside an independent solver: an arm whose joints rub, by CVODE on eval alone and by network steps. */
#include "bristle/params.h"
#include "lab/sim.h"
#include "support/arm.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/* two links in free swing, LuGre in both joints */
static arm swinging_arm(void)
{
  arm a = { .n = 2, .gravity = 9.81 };
  for (int i = 0; i < 2; i++) {
    a.mass[i] = 2, a.length[i] = 0.4, a.q[i] = 0.3 - 0.5 * i;
    a.c[i] = contact_of("lugre");
    set(&a.c[i], "sigma0", 1e4);
    set(&a.c[i], "sigma1", 100);
    set(&a.c[i], "vs", 0.05);
  }
  return a;
}

/* a push upwards on the tip of two links: 0 until `from`, then growing with `rate` */
typedef struct pushed_arm {
  arm a;
  double from, rate;
} pushed_arm;

static int arm_rates(sunrealtype t, N_Vector y, N_Vector dy, void *data);

static int pushed_rates(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  pushed_arm p = *(const pushed_arm *)data;
  const double *s = N_VGetArrayPointer(y), push = t > p.from ? p.rate * (t - p.from) : 0;
  p.a.torque[1] = push * p.a.length[1] * cos(s[0] + s[1]);
  p.a.torque[0] = p.a.torque[1] + push * p.a.length[0] * cos(s[0]);
  return arm_rates(t, y, dy, &p.a);
}

/* y = q, u, bristles */
static int arm_rates(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  arm a = *(const arm *)data;
  const double *s = N_VGetArrayPointer(y);
  double *d = N_VGetArrayPointer(dy), m[4], against[2], push[2];
  (void)t;
  for (int i = 0; i < 2; i++) a.q[i] = s[i], a.u[i] = s[2 + i];
  arm_dynamics(&a, m, against);
  for (int i = 0; i < 2; i++) {
    bristle_input in = { .v = s[2 + i], .n = 1, .load = a.c[i].load };
    push[i] = a.torque[i] - against[i] - a.c[i].model->eval(a.c[i].p, s + 4 + i, &in, d + 4 + i);
    d[i] = s[2 + i];
  }
  const double det = m[0] * m[3] - m[1] * m[2];
  d[2] = (m[3] * push[0] - m[1] * push[1]) / det;
  d[3] = (m[0] * push[1] - m[2] * push[0]) / det;
  return 0;
}

static void arm_by_cvode(const arm *a, double end, double q[2])
{
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(6, context);
  N_VConst(0, y);
  for (int i = 0; i < 2; i++) N_VGetArrayPointer(y)[i] = a->q[i];
  SUNMatrix matrix = SUNDenseMatrix(6, 6, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, arm_rates, 0, y);
  CVodeSStolerances(cvode, 1e-12, 1e-14);
  CVodeSetUserData(cvode, (void *)a);
  CVodeSetLinearSolver(cvode, solver, matrix);
  CVodeSetMaxNumSteps(cvode, 10000000);
  double t = 0;
  const int status = CVode(cvode, end, y, &t, CV_NORMAL);
  CHECK(status >= 0, "CVODE stopped with %d at t = %g", status, t);
  for (int i = 0; i < 2; i++) q[i] = N_VGetArrayPointer(y)[i];
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
}

/* one step of h, or one of h and two of h/2 extrapolated */
static void arm_advance(arm *a, double h, int extrapolated)
{
  arm fine = *a;
  arm_step(a, h);
  if (!extrapolated) return;
  arm_step(&fine, h / 2);
  arm_step(&fine, h / 2);
  for (int i = 0; i < 2; i++) {
    a->q[i] = 2 * fine.q[i] - a->q[i];
    a->u[i] = 2 * fine.u[i] - a->u[i];
    a->c[i].s[0] = 2 * fine.c[i].s[0] - a->c[i].s[0];
  }
}

static double arm_error(double h, int extrapolated, double end, const double q[2])
{
  arm a = swinging_arm();
  for (long i = 0; i < lround(end / h); i++) arm_advance(&a, h, extrapolated);
  return fmax(fabs(a.q[0] - q[0]), fabs(a.q[1] - q[1]));
}

TEST(cvode_agrees_on_an_arm_in_free_swing)
{
  const arm a = swinging_arm();
  double q[2], plain[3], second[3];
  arm_by_cvode(&a, 1, q);
  for (int k = 0; k < 3; k++) {
    const double h = 4e-4 / (1 << k);
    plain[k] = arm_error(h, 0, 1, q), second[k] = arm_error(h, 1, 1, q);
    printf("  h %g: error %.3g rad, extrapolated %.3g\n", h, plain[k], second[k]);
  }
  CHECK(plain[2] < 0.6 * plain[1] && plain[1] < 0.6 * plain[0], "not of first order");
  CHECK(second[2] < 0.45 * second[1] && second[1] < 0.45 * second[0], "extrapolated, not of second order");
  CHECK(second[2] < 1e-4, "extrapolated: %g rad", second[2]);
}

static int keep_last(void *context, const double *values)
{
  memcpy(context, values, 16 * sizeof *values);
  return 0;
}

/* the rig `arm`, with its own text of the dynamics and error control, ends where CVODE does */
static double rig_error(const arm *a, double rtol, const double q[2])
{
  bristle_arm_link link[2];
  for (int i = 0; i < 2; i++)
    link[i] = (bristle_arm_link){ .mass = a->mass[i],
                                  .length = a->length[i],
                                  .centre = 0.5 * a->length[i],
                                  .inertia = a->mass[i] * a->length[i] * a->length[i] / 12,
                                  .contact = { .law = a->c[i].law, .p = a->c[i].p },
                                  .q = a->q[i] };
  const bristle_rig whole = { .kind = BRISTLE_RIG_ARM, .as.arm = { .count = 2, .link = link, .gravity = a->gravity } };
  const bristle_sim_options options = { .end = 1, .rtol = rtol };
  double last[BRISTLE_SIM_COLUMNS] = { 0 };
  const bristle_sim_sink sink = { .context = last, .row = keep_last };
  bristle_sim_stats stats;
  bristle_sim_error error = { 0 };
  const bristle_sim_status status = bristle_simulate(&whole, &options, &sink, &stats, &error);
  CHECK(status == BRISTLE_SIM_OK, "%s", error.what);
  CHECK(fabs(stats.residual) < 1e-7 * stats.work_done, "residual %g J", stats.residual);
  return fmax(fabs(last[1] - q[0]), fabs(last[2] - q[1]));
}

TEST(cvode_agrees_with_the_rig_arm)
{
  const arm a = swinging_arm();
  double q[2];
  arm_by_cvode(&a, 1, q);
  const double usual = rig_error(&a, 0, q), fine = rig_error(&a, 1e-10, q);
  printf("  error %.3g rad at the usual tolerance, %.3g at 1e-10\n", usual, fine);
  CHECK(usual < 1e-7 && fine < 1e-8, "%g and %g rad", usual, fine);
}

/* ---- the arm of the gallery: examples/arm_hold.yaml ---- */

/* the second joint slides */
static int slides(sunrealtype t, N_Vector y, sunrealtype *root, void *data)
{
  (void)t, (void)data;
  *root = N_VGetArrayPointer(y)[3] - 0.1;
  return 0;
}

/* when the second joint reaches 0.1 rad/s, and where the arm has rested until it was pushed */
static double break_away(const pushed_arm *p, double rtol, double rest[2])
{
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(6, context);
  N_VConst(0, y);
  for (int i = 0; i < 2; i++) N_VGetArrayPointer(y)[i] = p->a.q[i];
  SUNMatrix matrix = SUNDenseMatrix(6, 6, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, pushed_rates, 0, y);
  CVodeSStolerances(cvode, rtol, 1e-3 * rtol);
  CVodeSetUserData(cvode, (void *)p);
  CVodeSetLinearSolver(cvode, solver, matrix);
  CVodeSetMaxNumSteps(cvode, 10000000);
  CVodeRootInit(cvode, 1, slides);
  double t = 0;
  CVodeSetStopTime(cvode, p->from);
  int status = CVode(cvode, p->from, y, &t, CV_NORMAL);
  CHECK(status >= 0 && status != CV_ROOT_RETURN, "CVODE: %d at t = %g", status, t);
  for (int i = 0; i < 2; i++) rest[i] = N_VGetArrayPointer(y)[i];
  CVodeReInit(cvode, p->from, y); /* the push begins with a corner */
  CVodeSetStopTime(cvode, p->from + 2);
  status = CVode(cvode, p->from + 2, y, &t, CV_NORMAL);
  CHECK(status == CV_ROOT_RETURN, "CVODE: %d at t = %g, no break-away", status, t);
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return t;
}

/* These digits stand in cli/gallery/arm.c. */
TEST(cvode_finds_the_break_away_of_the_gallery)
{
  pushed_arm p = { .a = { .n = 2, .gravity = 9.81 }, .from = 60, .rate = 30 };
  for (int i = 0; i < 2; i++) {
    p.a.mass[i] = 2, p.a.length[i] = 0.4, p.a.q[i] = i ? 0.5 : 0.2;
    p.a.c[i] = contact_of("lugre");
    const double level = i ? 8 : 25, values[] = { 1e5, 300, 0.4, level, 1.3 * level, 0.01 };
    static const char *const names[] = { "sigma0", "sigma1", "sigma2", "fc", "fs", "vs" };
    for (int k = 0; k < 6; k++) set(&p.a.c[i], names[k], values[k]);
  }
  double rest[2][2], t[2];
  for (int k = 0; k < 2; k++) t[k] = break_away(&p, k ? 1e-12 : 1e-11, rest[k]);
  printf("  at rest %.12f %.12f rad, break-away at %.9f and %.9f s\n", rest[1][0], rest[1][1], t[0], t[1]);
  CHECK(fabs(t[1] - t[0]) < 1e-7, "%.9f and %.9f s", t[0], t[1]);
  CHECK(fabs(t[1] - 61.423623) < 5e-7, "%.9f s", t[1]); /* there the push begins at 1 s */
  CHECK(fabs(rest[1][0] - 0.19972919) < 5e-9 && fabs(rest[1][1] - 0.49995720) < 5e-9, "%.12f %.12f rad", rest[1][0],
        rest[1][1]);
}
