/* One degree of freedom by CVODE (BDF, dense). Integration restarts at every corner of the inputs. */
#include "cvode/simulate.h"

#include "sim/axis.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { X, V, C, OBSERVER, BASE_X, FIRST_STATE };

typedef struct job {
  axis_host host;
  int states, size;
  const bristle_sim_options *options;
  sim_recorder recorder;
} job;

static bristle_input contact_at(const job *j, const axis_inputs *in, const double *y)
{
  return (
      bristle_input){ .v = y[V] - in->base, .x = y[X] - y[BASE_X], .n = in->load, .load = j->host.rig->contact.load };
}

static int rates(sunrealtype t, N_Vector state, N_Vector slope, void *data)
{
  const job *j = data;
  const bristle_axis *r = j->host.rig;
  const axis_inputs in = axis_inputs_at(&j->host, t);
  const double *y = N_VGetArrayPointer(state);
  double *d = N_VGetArrayPointer(slope), *ledger = d + FIRST_STATE + j->states;
  const bristle_input contact = contact_at(j, &in, y);
  d[OBSERVER] = 0;
  const double compensation = r->observer ? axis_observe(&j->host, &in, y[X], y[V], y[OBSERVER], &d[OBSERVER]) : 0;
  const double push = axis_push(&j->host, &in, y[X], y[V], y[C], compensation);
  const double friction = j->host.model->eval(r->contact.p, y + FIRST_STATE, &contact, d + FIRST_STATE);
  const double lag = in.anchor_rate - y[V], spring = r->stiffness * (in.anchor - y[X]) + r->damping * lag;
  const double height = r->gravity != 0 ? r->gravity * sin(y[X]) : 0, drive = push - spring + r->drag * y[V] + height;
  d[X] = y[V];
  d[V] = (push - friction) * j->host.per_mass;
  d[C] = in.target - y[X];
  d[BASE_X] = in.base;
  ledger[WORK_IN] = drive * y[V] + spring * in.anchor_rate - friction * in.base;
  ledger[DAMPED] = r->damping * lag * lag + r->drag * y[V] * y[V];
  ledger[RUBBED] = friction * contact.v;
  return 0;
}

static int emit(job *j, double t, const double *y)
{
  const bristle_axis *r = j->host.rig;
  const axis_inputs in = axis_inputs_at(&j->host, t);
  const bristle_input contact = contact_at(j, &in, y);
  double row[BRISTLE_SIM_COLUMNS], unused[BRISTLE_LAW_SIZE];
  j->recorder.next++;
  j->recorder.stats->rows++;
  if (!j->recorder.sink->row) return 0;
  int k = 0;
  row[k++] = t;
  row[k++] = y[X];
  row[k++] = y[V];
  row[k++] = j->host.model->eval(r->contact.p, y + FIRST_STATE, &contact, unused);
  for (int i = 0; i < j->states; i++) row[k++] = y[FIRST_STATE + i];
  if (r->ki != 0) row[k++] = y[C];
  if (r->observer) row[k++] = y[OBSERVER];
  k += axis_put_control(&j->host, &in, y[X], y[V], y[C], r->observer ? y[OBSERVER] : 0, row + k);
  row[k] = j->host.model->mode(r->contact.p, y + FIRST_STATE, &contact);
  return j->recorder.sink->row(j->recorder.sink->context, row);
}

static void note_events(job *j, double t, const double *y)
{
  const axis_inputs in = axis_inputs_at(&j->host, t);
  const bristle_input contact = contact_at(j, &in, y);
  const bristle_mode mode = j->host.model->mode(j->host.rig->contact.p, y + FIRST_STATE, &contact);
  if (contact.v * j->recorder.slip < 0) sim_event(&j->recorder, t, BRISTLE_EVENT_REVERSAL);
  if ((mode == BRISTLE_MODE_SLIDING) != (j->recorder.mode == BRISTLE_MODE_SLIDING))
    sim_event(&j->recorder, t, mode == BRISTLE_MODE_SLIDING ? BRISTLE_EVENT_SLIP : BRISTLE_EVENT_STICK);
  if (contact.v != 0) j->recorder.slip = contact.v;
  j->recorder.mode = mode;
}

static void settle_accounts(job *j, double t, const double *y)
{
  const axis_inputs in = axis_inputs_at(&j->host, t);
  const bristle_input contact = contact_at(j, &in, y);
  const double held = j->recorder.stats->has_energy
                          ? j->host.model->energy(j->host.rig->contact.p, y + FIRST_STATE, &contact)
                          : 0;
  sim_balance(&j->recorder, y + FIRST_STATE + j->states, axis_energy(&j->host, &in, y[X], y[V]), held);
}

static void begin(job *j, const double *y)
{
  const axis_inputs in = axis_inputs_at(&j->host, 0);
  const bristle_input contact = contact_at(j, &in, y);
  j->recorder.slip = contact.v;
  j->recorder.mode = j->host.model->mode(j->host.rig->contact.p, y + FIRST_STATE, &contact);
  j->recorder.begun[0] = axis_energy(&j->host, &in, y[X], y[V]);
  j->recorder.begun[1] = j->recorder.stats->has_energy
                             ? j->host.model->energy(j->host.rig->contact.p, y + FIRST_STATE, &contact)
                             : 0;
}

/* absolute tolerances: bristles are micrometres where positions are metres */
static void set_tolerances(const job *j, double rtol, double *atol)
{
  for (int i = 0; i < j->size; i++) {
    const int bristle = i == OBSERVER || (i >= FIRST_STATE && i < FIRST_STATE + j->states);
    atol[i] = j->options->atol > 0 ? j->options->atol : rtol * (bristle ? 1e-5 : 1e-2);
  }
}

static bristle_sim_status run(job *j, void *solver, N_Vector y, bristle_sim_error *error)
{
  const bristle_sim_options *o = j->options;
  double t = 0, corner = axis_begin(&j->host, 0);
  double *state = N_VGetArrayPointer(y);
  begin(j, state);
  while (t < o->end) {
    const double stop = fmin(corner, o->end);
    CVodeSetStopTime(solver, stop);
    while (t < stop) {
      while (sim_next_row(&j->recorder) <= t)
        if (emit(j, t, state)) return BRISTLE_SIM_STOPPED;
      const double next = fmin(sim_next_row(&j->recorder), stop), from = t;
      const int status = CVode(solver, next, y, &t, CV_NORMAL);
      if (status < 0)
        return sim_fail(error, BRISTLE_SIM_NO_PROGRESS, t, NULL, "CVODE stopped with its code %d", status);
      if (j->recorder.sink->step && j->recorder.sink->step(j->recorder.sink->context, from, t - from, 1))
        return BRISTLE_SIM_STOPPED;
      note_events(j, t, state);
      settle_accounts(j, t, state);
      if (sim_progress(&j->recorder, t)) return BRISTLE_SIM_STOPPED;
    }
    if (t >= o->end) break;
    corner = axis_begin(&j->host, t);
    CVodeReInit(solver, t, y);
  }
  while (sim_next_row(&j->recorder) <= o->end)
    if (emit(j, o->end, state)) return BRISTLE_SIM_STOPPED;
  return BRISTLE_SIM_OK;
}

static void take_counts(void *solver, bristle_sim_stats *stats)
{
  long steps = 0, evaluations = 0, jacobians = 0, failed = 0, unsolved = 0;
  CVodeGetNumSteps(solver, &steps);
  CVodeGetNumRhsEvals(solver, &evaluations);
  CVodeGetNumJacEvals(solver, &jacobians);
  CVodeGetNumErrTestFails(solver, &failed);
  CVodeGetNumNonlinSolvConvFails(solver, &unsolved);
  stats->steps += (size_t)steps;
  stats->evaluations += (size_t)evaluations;
  stats->jacobians += (size_t)jacobians;
  stats->rejected += (size_t)(failed + unsolved);
}

bristle_sim_status bristle_simulate_cvode(const bristle_rig *rig, const bristle_sim_options *options,
                                          const bristle_sim_sink *sink, bristle_sim_stats *stats,
                                          bristle_sim_error *error)
{
  memset(stats, 0, sizeof *stats);
  bristle_sim_status status = bristle_sim_check(rig, options, error);
  if (status) return status;
  const bristle_axis *axis = &rig->as.axis;
  if (rig->kind != BRISTLE_RIG_AXIS || !axis_suits_native(axis)
      || (axis->contact.law->f64->info->traits & BRISTLE_TRAIT_SET_VALUED))
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "method",
                    "CVODE runs rigs with one degree of freedom and a smooth law that is not set-valued");
  job j = { .host = axis_place(axis),
            .options = options,
            .recorder = { .options = options, .sink = sink, .stats = stats } };
  const bristle_info *info = j.host.model->info;
  j.states = info->nstate;
  j.size = FIRST_STATE + info->nstate + LEDGER;
  stats->method = BRISTLE_METHOD_CVODE;
  stats->has_energy = (info->traits & BRISTLE_TRAIT_ENERGY) != 0 || info->nstate == 0;

  SUNContext context;
  if (SUNContext_Create(NULL, &context))
    return sim_fail(error, BRISTLE_SIM_MEMORY, 0, NULL, "CVODE could not be started");
  N_Vector y = N_VNew_Serial(j.size, context), tolerance = N_VNew_Serial(j.size, context);
  SUNMatrix matrix = SUNDenseMatrix(j.size, j.size, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  void *solver = CVodeCreate(CV_BDF, context);
  double *state = N_VGetArrayPointer(y);
  memset(state, 0, (size_t)j.size * sizeof *state);
  state[X] = axis->x;
  state[V] = axis->v;
  state[C] = axis->c;
  state[OBSERVER] = axis->observer_z;
  memcpy(state + FIRST_STATE, axis->z, (size_t)info->nstate * sizeof *state);
  const double rtol = options->rtol > 0 ? options->rtol : 1e-8;
  stats->rtol = rtol;
  set_tolerances(&j, rtol, N_VGetArrayPointer(tolerance));
  axis_begin(&j.host, 0);
  CVodeInit(solver, rates, 0, y);
  CVodeSVtolerances(solver, rtol, tolerance);
  CVodeSetUserData(solver, &j);
  CVodeSetLinearSolver(solver, linear, matrix);
  CVodeSetMaxNumSteps(solver, options->most_steps ? (long)options->most_steps : 100000000L);
  CVodeSetErrFile(solver, NULL);
  if (options->step > 0) CVodeSetMaxStep(solver, options->step);
  status = run(&j, solver, y, error);
  take_counts(solver, stats);
  CVodeFree(&solver);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(tolerance);
  SUNContext_Free(&context);
  return status;
}
