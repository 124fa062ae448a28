/* An independent solver as oracle: SUNDIALS CVODE (BDF) integrates `eval` alone; Runge-Kutta and the coupled step of
 * the library must arrive where it does. */
#include "support/law.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/* y = x, v, states of a mass of 1 kg on a spring of 2 N/m pulled at 0.1 m/s */
static double pull(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)v, (void)extra;
  return 2 * (0.1 * t - x);
}

static int rates(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  const contact *c = data;
  const double *s = N_VGetArrayPointer(y);
  double *d = N_VGetArrayPointer(dy);
  bristle_input in = { .v = s[1], .x = s[0], .n = 1, .f = pull(NULL, t, s[0], s[1], 0), .load = c->load };
  d[0] = s[1];
  d[1] = in.f - c->model->eval(c->p, s + 2, &in, d + 2);
  return 0;
}

/* x and v at the end time by CVODE */
static void by_cvode(contact *c, double end, double *x, double *v)
{
  SUNContext context;
  SUNContext_Create(NULL, &context);
  const int n = 2 + c->model->info->nstate;
  N_Vector y = N_VNew_Serial(n, context), tolerance = N_VNew_Serial(n, context);
  N_VConst(0, y);
  for (int i = 0; i < n; i++) N_VGetArrayPointer(tolerance)[i] = i < 2 ? 1e-12 : 1e-16; /* bristles are micrometres */
  SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, rates, 0, y);
  CVodeSVtolerances(cvode, 1e-10, tolerance);
  CVodeSetUserData(cvode, c);
  CVodeSetLinearSolver(cvode, solver, matrix);
  CVodeSetMaxNumSteps(cvode, 10000000);
  double t = 0;
  int status = CVode(cvode, end, y, &t, CV_NORMAL);
  CHECK(status >= 0, "CVODE stopped with %d at t = %g", status, t);
  *x = N_VGetArrayPointer(y)[0], *v = N_VGetArrayPointer(y)[1];
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(tolerance);
  SUNContext_Free(&context);
}

static void compare(const char *law, double end, double tolerance, double step_tolerance)
{
  contact c = contact_of(law);
  double x, v;
  by_cvode(&c, end, &x, &v);
  rig fine = { .c = contact_of(law), .mass = 1, .push = pull }, coarse = fine;
  for (long i = 0; i < lround(end / 1e-5); i++) rig_advance(&fine, 1e-5);
  for (long i = 0; i < lround(end / 1e-4); i++) rig_step(&coarse, 1e-4);
  printf("  %-15s x(%g s) = %.10f by CVODE, %.10f by Runge-Kutta, %.10f by the coupled step\n", law, end, x, fine.x,
         coarse.x);
  CHECK_ABS(fine.x, x, tolerance);
  CHECK_ABS(coarse.x, x, step_tolerance);
}

TEST(cvode_agrees_on_lugre_stick_slip) { compare("lugre", 20, 1e-7, 2e-4); }
TEST(cvode_agrees_on_lugre_bounded) { compare("lugre_bounded", 10, 1e-7, 2e-4); }
TEST(cvode_agrees_on_elasto_plastic) { compare("elasto_plastic", 10, 1e-6, 2e-4); }
TEST(cvode_agrees_on_dahl) { compare("dahl", 10, 1e-6, 1e-3); }
TEST(cvode_agrees_on_brown_mcphee) { compare("brown_mcphee", 10, 1e-6, 1e-3); }
