/* Choosing an experiment: pieces of motion are added one after another, each time the one that lowers the expected
   deviations most for the time it takes. */
#include "fit/plans/plan.h"
#include "fit/common/parallel.h"
#include "maths/random.h"

#include "io/support.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { MOST_CANDIDATES = 2048 };

/* between two pieces, and before the first */
static const double REST = 0.1;
/* what is believed of a parameter beforehand, so that every information matrix has an inverse: within e^10 */
static const double PRIOR = 1e-2;
static const double GOAL = 0.02;

/* An experiment that is the best for one set of parameters may be blind for another, and the true ones are not known
   yet: it must do for several sets around the one given, each parameter off by up to a factor. */
enum { SETS = 4, FEW_SETS = 2 };
static const double DOUBT = 3;

/* Derivatives of laws with many elements take a hundred times as long as those of one bristle: fewer are asked for. */
enum { MANY_STATES = 8, PLAN_THREADS = 2 };

typedef struct planner {
  const bristle_plan_limits *limits;
  int coarse;
  double goal;
  int wanted[BRISTLE_LAW_SIZE];
  int sets;
  double p[SETS][BRISTLE_LAW_SIZE];
  bristle_contact contact[SETS]; /* the first is the one given */
  int count;
  bristle_plan_piece *piece;
  bristle_information *information; /* of each piece alone, for each set */
} planner;

/* what is known, for each set */
typedef struct knowledge {
  bristle_information of[SETS];
} knowledge;

static void add_information(bristle_information *to, const bristle_information *from)
{
  to->side = from->side;
  for (int k = 0; k < from->side * from->side; k++) to->matrix[k] += from->matrix[k];
}

/* sum of the logarithms of the deviations still above the goal: what the next piece shall lower */
static double worth_of(const planner *p, const bristle_information *information)
{
  bristle_information with = *information;
  double deviation[BRISTLE_PLAN_SIDE], sum = 0;
  const double force = p->limits->noise;
  for (int k = 0; k < with.side; k++)
    with.matrix[k * with.side + k] += k + 1 < with.side ? PRIOR : 1e-12 / (force * force);
  bristle_plan_deviations(&with, deviation, NULL);
  for (int k = 0; k + 1 < with.side; k++) sum += log(fmax(fmin(deviation[k], 1e3), p->goal));
  return sum;
}

/* with a piece added to what is known, or none (-1) */
static double worth(const planner *p, const knowledge *known, int piece)
{
  double sum = 0;
  for (int set = 0; set < p->sets; set++) {
    bristle_information with = known->of[set];
    if (piece >= 0) add_information(&with, &p->information[piece * p->sets + set]);
    sum += worth_of(p, &with);
  }
  return sum;
}

static int is_reached(const planner *p, const knowledge *known)
{
  double deviation[BRISTLE_PLAN_SIDE];
  for (int set = 0; set < p->sets; set++) {
    bristle_plan_deviations(&known->of[set], deviation, NULL);
    for (int k = 0; k + 1 < known->of[set].side; k++)
      if (!(deviation[k] <= p->goal)) return 0;
  }
  return 1;
}

static void make_sets(planner *p, const bristle_contact *given, const int *wanted)
{
  const bristle_info *info = given->law->f64->info;
  random_state random = random_start(1);
  if (wanted) memcpy(p->wanted, wanted, sizeof *p->wanted * (size_t)info->nparam);
  else bristle_plan_wanted(given, p->wanted);
  for (int trial = 0; trial < 20 && p->sets < (p->coarse ? FEW_SETS : SETS); trial++) {
    double *set = p->p[p->sets];
    for (int i = 0; i < info->param_rows; i++)
      for (int k = 0; k < info->param[i].count; k++) {
        const bristle_row *row = &info->param[i];
        const int j = row->first + k, moved = trial && p->wanted[j] && row->kind == BRISTLE_ROW_LOG;
        const double factor = moved ? pow(DOUBT, 2 * random_part(&random) - 1) : 1;
        set[j] = fmin(fmax(factor * given->p[j], row->lo), row->hi);
      }
    if (trial && bristle_check(given->law->f64, set, NULL)) continue; /* fs below fc: draw again */
    p->contact[p->sets++] = (bristle_contact){ .law = given->law, .load = given->load, .p = set };
  }
}

static bristle_fault_kind inform_of_samples(const planner *p, int set, const plan_samples *s,
                                            bristle_information *information, bristle_fault *fault)
{
  const bristle_plan_motion motion = { .count = s->count, .h = s->h, .v = s->v, .x = s->x, .n = s->n };
  return bristle_plan_inform(&p->contact[set], p->wanted, &motion, p->limits->noise, information, fault);
}

typedef struct informing { /* pieces on several threads, each with a fault of its own */
  planner *p;
  bristle_fault *fault;
} informing;

static void inform_of_piece(void *context, int k)
{
  planner *p = ((informing *)context)->p;
  bristle_fault *fault = &((informing *)context)->fault[k];
  plan_samples s = { .step = 1 / p->limits->rate };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!plan_add_piece(&s, &p->piece[k], p->piece[k].duration, p->piece[k].load)) kind = fault_memory(fault);
  for (int set = 0; set < p->sets && !kind; set++)
    kind = inform_of_samples(p, set, &s, &p->information[k * p->sets + set], fault);
  plan_free_samples(&s);
}

static bristle_fault_kind inform_of_pieces(planner *p, bristle_fault *fault)
{
  informing all = { p, calloc((size_t)p->count, sizeof *all.fault) };
  if (!all.fault) return fault_memory(fault);
  parallel_for(PLAN_THREADS, p->count, inform_of_piece, &all);
  int k = 0;
  while (k + 1 < p->count && !all.fault[k].kind) k++;
  const bristle_fault_kind kind = all.fault[k].kind;
  if (kind && fault) *fault = all.fault[k];
  free(all.fault);
  return kind;
}

/* the best piece to add to what is known, or -1 */
static int best_piece(const planner *p, const knowledge *known, double time_left)
{
  const double now = worth(p, known, -1);
  double best = 0;
  int chosen = -1;
  for (int k = 0; k < p->count; k++) {
    const double time = p->piece[k].duration + REST;
    if (time > time_left) continue;
    const double gain = (now - worth(p, known, k)) / time;
    if (gain > best) best = gain, chosen = k;
  }
  return chosen;
}

/* small motions first, before the contact is disturbed; loads one after another */
static int by_size(const void *a, const void *b)
{
  static const int order[] = { [BRISTLE_PIECE_SINE] = 0, [BRISTLE_PIECE_RAMP] = 1, [BRISTLE_PIECE_STAIR] = 2 };
  const bristle_plan_piece *x = a, *y = b;
  const double size_x = x->kind == BRISTLE_PIECE_SINE ? x->amplitude : x->speed;
  const double size_y = y->kind == BRISTLE_PIECE_SINE ? y->amplitude : y->speed;
  if (x->load != y->load) return x->load < y->load ? -1 : 1;
  if (x->kind != y->kind) return order[x->kind] - order[y->kind];
  if (size_x != size_y) return size_x < size_y ? -1 : 1;
  return (x->duration > y->duration) - (x->duration < y->duration);
}

static void choose_pieces(const planner *p, knowledge *known, const bristle_information *before, bristle_plan *plan)
{
  double time_left = p->limits->duration - REST;
  for (int set = 0; set < p->sets; set++) {
    known->of[set].side = p->information[0].side;
    if (before) add_information(&known->of[set], before);
  }
  while (plan->count < BRISTLE_PLAN_PIECES && !is_reached(p, known)) {
    const int chosen = best_piece(p, known, time_left);
    if (chosen < 0) break;
    for (int set = 0; set < p->sets; set++) add_information(&known->of[set], &p->information[chosen * p->sets + set]);
    plan->piece[plan->count++] = p->piece[chosen];
    time_left -= p->piece[chosen].duration + REST;
  }
  qsort(plan->piece, (size_t)plan->count, sizeof *plan->piece, by_size);
}

/* the motion as it is to be run, one piece after another, and what it really tells */
static bristle_fault_kind put_together(const planner *p, const bristle_information *before, bristle_plan *plan,
                                       bristle_fault *fault)
{
  plan_samples s = { .step = 1 / p->limits->rate };
  const double first = plan->count ? plan->piece[0].load : 1;
  int done = plan_add_piece(&s, NULL, REST, first);
  for (int k = 0; k < plan->count && done; k++) {
    const bristle_plan_piece *piece = &plan->piece[k];
    done = plan_add_piece(&s, piece, piece->duration, piece->load) && plan_add_piece(&s, NULL, REST, piece->load);
  }
  bristle_fault_kind kind = done ? inform_of_samples(p, 0, &s, &plan->information, fault) : fault_memory(fault);
  if (!kind && before) add_information(&plan->information, before);
  if (!kind) plan->t = malloc(4 * (s.count + 1) * sizeof *plan->t);
  if (!kind && !plan->t) kind = fault_memory(fault);
  if (!kind) {
    const size_t count = plan->samples = s.count + 1;
    plan->x = plan->t + count, plan->v = plan->x + count, plan->n = plan->v + count;
    plan->t[0] = plan->x[0] = plan->v[0] = 0, plan->n[0] = first;
    for (size_t i = 1; i < count; i++) {
      plan->t[i] = s.step * (double)i;
      plan->x[i] = i < s.count ? s.x[i] : s.at;
      plan->v[i] = s.v[i - 1];
      plan->n[i] = s.n[i - 1];
    }
  }
  plan_free_samples(&s);
  return kind;
}

static bristle_fault_kind check_limits(const bristle_plan_limits *limits, bristle_fault *fault)
{
  const struct {
    const char *name;
    double value;
  } numbers[] = { { "speed", limits->speed },
                  { "stroke", limits->stroke },
                  { "rate", limits->rate },
                  { "duration", limits->duration },
                  { "noise", limits->noise } };
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    if (!(numbers[k].value > 0) || !isfinite(numbers[k].value))
      return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the %s is %g, expected a positive number", numbers[k].name,
                       numbers[k].value);
  for (size_t k = 0; k < limits->loads; k++)
    if (!(limits->load[k] > 0) || !isfinite(limits->load[k]))
      return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "a load is %g, expected a positive number", limits->load[k]);
  return BRISTLE_FAULT_NONE;
}

/* Does the drive reach the end of a piece with the force that it has? */
static int within_force(const planner *p, const bristle_plan_piece *piece, int *failed)
{
  const bristle_contact *contact = &p->contact[0];
  plan_samples s = { .step = 1 / p->limits->rate };
  double state[BRISTLE_LAW_SIZE] = { 0 }, before = 0;
  *failed = !plan_add_piece(&s, piece, piece->duration, piece->load);
  int within = !*failed;
  for (size_t i = 0; i < s.count && within; i++) {
    const bristle_input in = { .v = s.v[i], .x = s.x[i], .n = s.n[i], .h = s.step, .load = contact->load };
    const double force = contact->law->f64->step(contact->p, state, &in, NULL)
                         + p->limits->mass * (s.v[i] - before) / s.step;
    within = fabs(force) <= p->limits->force;
    before = s.v[i];
  }
  plan_free_samples(&s);
  return within;
}

static bristle_fault_kind drop_forces(planner *p, bristle_fault *fault)
{
  int kept = 0, failed = 0;
  for (int k = 0; k < p->count && !failed; k++)
    if (within_force(p, &p->piece[k], &failed)) p->piece[kept++] = p->piece[k];
  p->count = kept;
  return failed ? fault_memory(fault) : BRISTLE_FAULT_NONE;
}

static bristle_fault_kind list_pieces(planner *p, bristle_fault *fault)
{
  p->piece = calloc(MOST_CANDIDATES, sizeof *p->piece);
  if (!p->piece) return fault_memory(fault);
  p->count = plan_list_pieces(p->limits, p->limits->duration - 2 * REST, p->coarse, p->piece, MOST_CANDIDATES);
  const bristle_fault_kind kind = p->limits->force > 0 ? drop_forces(p, fault) : BRISTLE_FAULT_NONE;
  if (kind) return kind;
  if (!p->count)
    return fault_set(fault, BRISTLE_FAULT_VALUE,
                     p->limits->force > 0 || p->limits->acceleration > 0 || p->limits->jerk > 0
                         ? "give more force, acceleration or jerk, more room or a higher rate"
                         : "give more room, more speed or a higher rate",
                     "no candidate motion fits the limits");
  p->information = calloc((size_t)(p->count * p->sets), sizeof *p->information);
  return p->information ? BRISTLE_FAULT_NONE : fault_memory(fault);
}

bristle_fault_kind bristle_plan_make(const bristle_contact *contact, const int *wanted,
                                     const bristle_plan_limits *limits, const bristle_information *before,
                                     bristle_plan **plan, bristle_fault *fault)
{
  planner *p = calloc(1, sizeof *p);
  knowledge *known = calloc(1, sizeof *known);
  bristle_plan *made = calloc(1, sizeof *made);
  *plan = NULL;
  bristle_fault_kind kind = check_limits(limits, fault);
  if (!kind && (!p || !known || !made)) kind = fault_memory(fault);
  if (!kind) {
    p->limits = limits;
    p->goal = limits->goal > 0 ? limits->goal : GOAL;
    p->coarse = contact->law->f64->info->nstate > MANY_STATES;
    make_sets(p, contact, wanted);
    kind = list_pieces(p, fault);
  }
  if (!kind) kind = inform_of_pieces(p, fault);
  if (!kind && p->information[0].side < 2)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "name some with option wanted", "no parameter is to be determined");
  if (!kind) choose_pieces(p, known, before, made);
  if (!kind) kind = put_together(p, before, made, fault);
  if (!kind) made->considered = p->count;
  if (p) free(p->piece), free(p->information);
  free(p), free(known);
  if (kind) bristle_plan_free(made);
  else *plan = made;
  return kind;
}

void bristle_plan_free(bristle_plan *plan)
{
  if (!plan) return;
  free(plan->t);
  free(plan);
}
