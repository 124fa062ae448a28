/* The network beside an independent solver: an arm whose joints rub, by CVODE on eval alone and by network steps. */
#include "bristle/params.h"
#include "bristle/sim.h"
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
    push[i] = -against[i] - a.c[i].model->eval(a.c[i].p, s + 4 + i, &in, d + 4 + i);
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
