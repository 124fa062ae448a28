/* The search of a simulation-error fit: many random sets are simulated coarsely, the better ones and the given start
   are refined a little, the best of these to the end, and the best result stays. Everything that is random follows from
   the seed, and each job writes to its own place, so that the result does not depend on the number of threads. */
#include "fit/parallel.h"
#include "fit/random.h"
#include "fit/trajectory_fit.h"

#include "io/support.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum {
  DEFAULT_CANDIDATES = 400,
  DEFAULT_STARTS = 3,
  MOST_STARTS = 32,
  DEFAULT_THREADS = 2,
  COARSE_FACTOR = 6, /* sets refined coarsely for each that is refined to the end */
  COARSE_STEPS = 15
};

/* bounds that only exclude nonsense say nothing about where to look: stay within this factor of the start */
static const double REACH = 30;
/* coarse steps rank sets as well as fine ones, four times faster */
static const double COARSE = 4e-3;

typedef struct candidate {
  double u[MOST_UNKNOWNS];
  double misfit; /* sum of the sizes of all residuals, then the cost; infinite where it cannot be simulated */
  int passes;    /* over all runs, beyond the screening */
} candidate;

typedef struct search_job {
  const trajectory_fit *fine;
  trajectory_fit coarse;
  const bristle_trajectory_options *options;
  bristle_fit_options fit;
  candidate *list;
  int count, starts;
  double start_misfit;
  pthread_mutex_t lock; /* of the progress */
  bristle_fit_result *result[MOST_STARTS];
  bristle_fault fault[MOST_STARTS];
  atomic_int stop;
} search_job;

/* ---- candidates ---- */

static double draw(const bristle_unknown *unknown, double start, double part)
{
  if (unknown->kind == BRISTLE_LOG) {
    const double lo = log(fmax(unknown->lo, start / REACH)), hi = log(fmin(unknown->hi, start * REACH));
    return exp(lo + part * (hi - lo));
  }
  const double reach = REACH * fmax(fabs(start), unknown->scale);
  const double lo = fmax(unknown->lo, start - reach), hi = fmin(unknown->hi, start + reach);
  return lo + part * (hi - lo);
}

typedef struct misfit_sink {
  const bristle_run *run;
  double weight_x, weight_v, sum;
} misfit_sink;

static int add_misfit(void *context, size_t i, double x, double v, const double *dx, const double *dv)
{
  misfit_sink *s = context;
  (void)dx, (void)dv;
  if (s->run->position && isfinite(s->run->position[i])) s->sum += s->weight_x * fabs(x - s->run->position[i]);
  if (s->run->velocity && isfinite(s->run->velocity[i])) s->sum += s->weight_v * fabs(v - s->run->velocity[i]);
  return 0;
}

static double misfit_of(const trajectory_fit *f, const double *u)
{
  const bristle_trajectory *t = f->trajectory;
  bristle_axis_values values;
  misfit_sink s = { .weight_x = t->position_weight > 0 ? t->position_weight : 1,
                    .weight_v = t->velocity_weight > 0 ? t->velocity_weight : 1 };
  trajectory_values(f, u, &values);
  if (bristle_check(t->law->f64, values.param, NULL)) return HUGE_VAL;
  for (size_t k = 0; k < t->count; k++) {
    const axis_job job = { .trajectory = t, .run = &t->run[k], .values = &values, .step = f->step };
    s.run = &t->run[k];
    if (axis_simulate(&job, &(axis_sink){ &s, add_misfit })) return HUGE_VAL;
  }
  return s.sum;
}

static void screen(void *context, int i)
{
  search_job *job = context;
  job->list[i].misfit = misfit_of(&job->coarse, job->list[i].u);
}

static int by_misfit(const void *a, const void *b)
{
  const double x = ((const candidate *)a)->misfit, y = ((const candidate *)b)->misfit;
  return (x > y) - (x < y);
}

/* the first is the given start, and stays the first */
static bristle_fault_kind make_candidates(search_job *job, bristle_fault *fault)
{
  const trajectory_fit *f = job->fine;
  random_state random = random_start(job->options->seed);
  job->count = 1
               + (job->options->candidates < 0    ? 0
                  : job->options->candidates == 0 ? DEFAULT_CANDIDATES
                                                  : job->options->candidates);
  job->list = calloc((size_t)job->count, sizeof *job->list);
  if (!job->list) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the candidates");
  for (int i = 0; i < job->count; i++)
    for (int k = 0; k < f->count; k++)
      job->list[i].u[k] = i ? draw(&f->unknown[k], f->start[k], random_part(&random)) : f->start[k];
  return BRISTLE_FAULT_NONE;
}

/* ---- refinement ---- */

/* a few steps in the coarse simulation: what looked good by chance falls behind, what can become good shows it */
static void refine_coarsely(void *context, int i)
{
  search_job *job = context;
  trajectory_fit own = job->coarse;
  bristle_fit_options options = job->fit;
  bristle_fit_result *result;
  bristle_fault fault;
  own.stop = &job->stop;
  options.iterations = COARSE_STEPS;
  candidate *c = &job->list[i];
  const bristle_fit_problem problem = { own.count, own.unknown, c->u, trajectory_residuals, &own };
  c->misfit = HUGE_VAL;
  if (bristle_fit(&problem, &options, &result, &fault)) return;
  memcpy(c->u, result->p, sizeof *c->u * (size_t)own.count);
  c->misfit = result->cost;
  c->passes = result->evaluations + result->jacobians;
  bristle_fit_free(result);
}

static void refine(void *context, int i)
{
  search_job *job = context;
  trajectory_fit own = *job->fine;
  own.stop = &job->stop;
  const bristle_fit_problem problem = { own.count, own.unknown, job->list[i].u, trajectory_residuals, &own };
  bristle_fit(&problem, &job->fit, &job->result[i], &job->fault[i]);
}

/* ---- stages ---- */

typedef struct stage {
  search_job *job;
  void (*what)(void *, int);
  double begin, end; /* of the progress */
  int count, done;
} stage;

static void do_one(void *context, int i)
{
  stage *s = context;
  search_job *job = s->job;
  if (!job->stop) s->what(job, i);
  pthread_mutex_lock(&job->lock);
  const double fraction = s->begin + (s->end - s->begin) * ++s->done / s->count;
  if (!job->stop && job->options->progress && job->options->progress(job->options->context, fraction)) job->stop = 1;
  pthread_mutex_unlock(&job->lock);
}

/* nonzero when the caller wants to stop */
static int run_stage(search_job *job, int count, void (*what)(void *, int), double begin, double end)
{
  stage s = { job, what, begin, end, count, 0 };
  parallel_for(job->options->threads > 0 ? job->options->threads : DEFAULT_THREADS, count, do_one, &s);
  return job->stop;
}

static int at_most(int wanted, int limit) { return wanted < limit ? wanted : limit; }

/* many sets are screened, some refined coarsely, few to the end; the given start takes part up to the second stage */
static int run_stages(search_job *job)
{
  const int starts = job->options->starts > 0 ? job->options->starts : DEFAULT_STARTS;
  const int some = at_most(COARSE_FACTOR * starts, job->count);
  if (run_stage(job, job->count, screen, 0, 0.3)) return 1;
  job->start_misfit = job->list[0].misfit;
  qsort(job->list + 1, (size_t)(job->count - 1), sizeof *job->list, by_misfit);
  if (some > 1 && run_stage(job, some, refine_coarsely, 0.3, 0.6)) return 1;
  if (some > 1) qsort(job->list, (size_t)some, sizeof *job->list, by_misfit);
  job->starts = at_most(at_most(starts, some), MOST_STARTS);
  return run_stage(job, job->starts, refine, 0.6, 1);
}

/* ---- the result ---- */

static double deviation_of_fs(const trajectory_fit *f, const bristle_fit_result *r)
{
  const size_t n = (size_t)f->count, a = (size_t)f->fc, b = (size_t)f->fs;
  double by_fc, by_place;
  trajectory_fs_slopes(f, r->p[a], r->p[b], &by_fc, &by_place);
  if (isinf(r->deviation[a]) || isinf(r->deviation[b])) return HUGE_VAL;
  return sqrt(by_fc * by_fc * r->covariance[a * n + a] + by_place * by_place * r->covariance[b * n + b]
              + 2 * by_fc * by_place * r->covariance[a * n + b]);
}

static bristle_fault_kind make_result(search_job *job, int best, bristle_trajectory_result **result,
                                      bristle_fault *fault)
{
  const trajectory_fit *f = job->fine;
  bristle_trajectory_result *r = calloc(1, sizeof *r);
  if (r) r->unknown = calloc((size_t)f->count, sizeof *r->unknown);
  if (!r || !r->unknown) {
    free(r);
    return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the result");
  }
  r->fit = job->result[best];
  job->result[best] = NULL;
  r->count = f->count;
  trajectory_values(f, r->fit->p, &r->values);
  for (int k = 0; k < f->count; k++) {
    bristle_trajectory_unknown *unknown = &r->unknown[k];
    snprintf(unknown->name, sizeof unknown->name, "%s", f->name[k]);
    unknown->value = f->plant[k] >= 0 ? r->values.plant[f->plant[k]] : r->values.param[f->param[k]];
    unknown->deviation = k == f->fs ? deviation_of_fs(f, r->fit) : r->fit->deviation[k];
    unknown->bound = r->fit->bound[k];
    const bristle_guess *guess = f->plant[k] >= 0 ? &f->trajectory->plant[f->plant[k]]
                                                  : &f->trajectory->param[f->param[k]];
    unknown->lo = guess->lo, unknown->hi = guess->hi;
  }
  r->start_cost = job->start_misfit;
  r->candidates = job->count - 1;
  *result = r;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind choose(search_job *job, bristle_trajectory_result **result, bristle_fault *fault)
{
  int best = -1, passes = job->count, tried = 0;
  for (int i = 0; i < job->count; i++) passes += job->list[i].passes;
  for (int i = 0; i < job->starts; i++) {
    if (!job->result[i]) continue;
    tried++;
    passes += job->result[i]->evaluations + job->result[i]->jacobians;
    if (best < 0 || job->result[i]->cost < job->result[best]->cost) best = i;
  }
  if (best < 0) {
    *fault = job->fault[0];
    return fault->kind ? fault->kind : fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "no set could be simulated");
  }
  bristle_fault_kind kind = make_result(job, best, result, fault);
  if (!kind) (*result)->starts = tried, (*result)->simulations = passes;
  return kind;
}

bristle_fault_kind bristle_trajectory_fit(const bristle_trajectory *trajectory,
                                          const bristle_trajectory_options *options, bristle_trajectory_result **result,
                                          bristle_fault *fault)
{
  static const bristle_trajectory_options plain = { .candidates = 0 };
  trajectory_fit *f = malloc(sizeof *f);
  search_job *job = calloc(1, sizeof *job);
  *result = NULL;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!f || !job) kind = fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the fit");
  if (!kind) kind = trajectory_fit_begin(f, trajectory, fault);
  if (!kind) {
    job->fine = f, job->coarse = *f, job->options = options ? options : &plain;
    job->coarse.step = fmax(f->step, COARSE);
    job->fit = job->options->fit;
    if (!(job->fit.gradient > 0)) job->fit.gradient = 1e-6;
    if (!(job->fit.step > 0)) job->fit.step = 1e-6;
    if (!(job->fit.cost > 0)) job->fit.cost = 1e-9;
    if (!job->fit.iterations) job->fit.iterations = 100;
    kind = make_candidates(job, fault);
  }
  if (!kind) {
    pthread_mutex_init(&job->lock, NULL);
    kind = run_stages(job) ? fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "stopped") : choose(job, result, fault);
    pthread_mutex_destroy(&job->lock);
    for (int i = 0; i < job->starts; i++) bristle_fit_free(job->result[i]);
  }
  if (job) free(job->list);
  free(job);
  free(f);
  return kind;
}

void bristle_trajectory_free(bristle_trajectory_result *result)
{
  if (!result) return;
  bristle_fit_free(result->fit);
  free(result->unknown);
  free(result);
}
