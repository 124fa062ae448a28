/* The peer: SUNDIALS CVODE on the same plants. The law is written out by hand, with the exponential of libm. */
#include "solver.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const double sigma0 = 1e5, sigma1 = 316.22776601683796, sigma2 = 0.4, fc = 1, fs = 1.5, vs = 0.001;

struct peer {
  SUNContext context;
  N_Vector y, tolerance;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  void *cvode;
};

/* the integral of the controller only where there is one */
static int states_of(const plant *p) { return p->ki != 0 ? 4 : 3; }

static int rates(sunrealtype t, N_Vector y, N_Vector dy, void *data)
{
  const plant *p = data;
  const double *s = N_VGetArrayPointer(y), slip = s[1] - p->base, u = slip / vs;
  double *d = N_VGetArrayPointer(dy);
  const double g = fc + (fs - fc) * exp(-u * u), dz = slip - sigma0 * fabs(slip) * s[2] / g;
  double push = p->stiffness * (p->speed * t - s[0]);
  if (p->ki != 0) {
    push += p->kp * (p->target - s[0]) - p->kd * s[1] + p->ki * s[3];
    d[3] = p->target - s[0];
  }
  d[0] = s[1];
  d[1] = (push - sigma0 * s[2] - sigma1 * dz - sigma2 * slip) / p->mass;
  d[2] = dz;
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector dy, SUNMatrix matrix, void *data, N_Vector a, N_Vector b,
                    N_Vector c)
{
  const plant *p = data;
  const double *s = N_VGetArrayPointer(y), slip = s[1] - p->base, u = slip / vs, fade = (fs - fc) * exp(-u * u);
  const double g = fc + fade, slope = -2 * u / vs * fade, way = slip < 0 ? -1 : 1;
  const double by_v = 1 - sigma0 * s[2] * (way / g - fabs(slip) * slope / (g * g)), by_z = -sigma0 * fabs(slip) / g;
  SM_ELEMENT_D(matrix, 0, 1) = 1;
  SM_ELEMENT_D(matrix, 1, 0) = -(p->stiffness + p->kp) / p->mass;
  SM_ELEMENT_D(matrix, 1, 1) = -(p->kd + sigma1 * by_v + sigma2) / p->mass;
  SM_ELEMENT_D(matrix, 1, 2) = -(sigma0 + sigma1 * by_z) / p->mass;
  SM_ELEMENT_D(matrix, 2, 1) = by_v;
  SM_ELEMENT_D(matrix, 2, 2) = by_z;
  if (p->ki != 0) {
    SM_ELEMENT_D(matrix, 1, 3) = p->ki / p->mass;
    SM_ELEMENT_D(matrix, 3, 0) = -1;
  }
  (void)t, (void)dy, (void)a, (void)b, (void)c;
  return 0;
}

peer *peer_open(const plant *p)
{
  const int n = states_of(p);
  peer *self = malloc(sizeof *self);
  if (!self) abort();
  SUNContext_Create(NULL, &self->context);
  self->y = N_VNew_Serial(n, self->context);
  self->tolerance = N_VNew_Serial(n, self->context);
  self->matrix = SUNDenseMatrix(n, n, self->context);
  self->solver = SUNLinSol_Dense(self->y, self->matrix, self->context);
  self->cvode = CVodeCreate(CV_BDF, self->context);
  N_VConst(0, self->y);
  CVodeInit(self->cvode, rates, 0, self->y);
  CVodeSStolerances(self->cvode, 1e-6, 1e-9);
  CVodeSetUserData(self->cvode, (void *)p);
  CVodeSetLinearSolver(self->cvode, self->solver, self->matrix);
  CVodeSetJacFn(self->cvode, jacobian);
  CVodeSetMaxNumSteps(self->cvode, 10000000);
  return self;
}

long peer_run(peer *self, const plant *p, const setting *s, double *x)
{
  const int points = points_of(p), n = states_of(p);
  const double share[] = { s->x, s->v, s->z, s->x };
  double *y = N_VGetArrayPointer(self->y), t;
  long steps = 0;
  N_VConst(0, self->y);
  for (int i = 0; i < n; i++) N_VGetArrayPointer(self->tolerance)[i] = s->rtol * share[i];
  CVodeReInit(self->cvode, 0, self->y);
  CVodeSVtolerances(self->cvode, s->rtol, self->tolerance);
  CVodeSetUserData(self->cvode, (void *)p);
  x[0] = y[0];
  for (int i = 1; i < points; i++) {
    if (CVode(self->cvode, (double)i / GRID, self->y, &t, CV_NORMAL) < 0) return -1;
    x[i] = y[0];
  }
  CVodeGetNumSteps(self->cvode, &steps);
  return steps;
}

void peer_close(peer *self)
{
  CVodeFree(&self->cvode);
  SUNLinSolFree(self->solver);
  SUNMatDestroy(self->matrix);
  N_VDestroy(self->y);
  N_VDestroy(self->tolerance);
  SUNContext_Free(&self->context);
  free(self);
}
