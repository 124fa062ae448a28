/* A row of masses on springs, after Burridge and Knopoff.
 *
 * The plate's spring and the damper of each mass are implicit, the springs between the masses take the positions at the
 * start of the step: each contact then depends on its own mass only, a step is one pass over the row, and with the new
 * velocities moving the positions no energy is lost to the scheme. Such springs bear steps up to sqrt(mass/coupling),
 * half the reciprocal of their highest frequency; extrapolated, a little more. The adaptive method notices that
 * by itself, and may exceed it while the contacts hold; fixed steps that are longer are divided. */
#include "maths/elementary.h"
#include "lab/units.h"
#include "maths/random.h"
#include "sim/axis.h"
#include "sim/rigs.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  STRETCH = 256, /* masses worked on at once: their numbers stay in the nearest cache */
  NAMED = 20     /* masses with columns of their own, at most */
};
static const double part_of_limit = 0.9;

typedef struct chain {
  const bristle_chain *rig;
  const bristle_model *law;
  size_t count;
  sim_states states;
  double longest; /* step that is not divided */
  double plate;   /* where the plate was last seen */
  /* one stretch; x has a neighbour on each side */
  double x[STRETCH + 2], v[STRETCH], load[STRETCH], w[STRETCH], f[STRETCH], v_end[STRETCH];
  double *s;
} chain;

static double *velocities(const chain *c, double *y) { return y + c->count; }

/* ---- one step ---- */

/* Positions from..from+n-1 and their neighbours; a free end has itself as neighbour. `before` is what the position left
   of the stretch was at the start of the step. */
static void load_positions(chain *c, const double *x, size_t from, size_t n, double before)
{
  c->x[0] = from ? before : x[0];
  for (size_t i = 0; i < n; i++) c->x[i + 1] = x[from + i];
  c->x[n + 1] = from + n < c->count ? x[from + n] : x[from + n - 1];
}

static void contacts(chain *c, double *y, size_t from, size_t n, double h)
{
  const bristle_batch batch = { .count = n,
                                .p = c->rig->contact.p,
                                .s = c->s,
                                .v = c->v,
                                .x = c->x + 1,
                                .n = c->load,
                                .w = c->w,
                                .h = h,
                                .load = c->rig->contact.load,
                                .f = c->f,
                                .v_end = c->v_end };
  sim_take_states(&c->states, y, from, n, c->s);
  c->law->step_n(&batch);
  sim_put_states(&c->states, y, from, n, c->s);
}

static void step(chain *c, double end, double h, double *y)
{
  const bristle_chain *r = c->rig;
  const double inertia = r->mass + h * r->damping + h * h * r->stiffness, lighter = 1 / inertia, plate = r->speed * end;
  double *const x = y, *const v = velocities(c, y), *const ledger = y + c->states.flow - LEDGER;
  double before = 0, stretch = 0, squares = 0, rubbed = 0;
  c->plate = plate;
  for (int i = 0; i < STRETCH; i++) c->w[i] = h * lighter;
  for (size_t from = 0; from < c->count; from += STRETCH) {
    const size_t n = c->count - from < STRETCH ? c->count - from : STRETCH;
    load_positions(c, x, from, n, before);
    for (size_t i = 0; i < n; i++) {
      const double here = c->x[i + 1], bent = (c->x[i] - here) + (c->x[i + 2] - here);
      const double pull = r->coupling * bent + r->stiffness * (plate - here);
      c->v[i] = (r->mass * v[from + i] + h * pull) * lighter;
    }
    before = x[from + n - 1];
    contacts(c, y, from, n, h);
    for (size_t i = 0; i < n; i++) {
      const double u = c->v_end[i];
      v[from + i] = u;
      x[from + i] += h * u;
      stretch += plate - x[from + i];
      squares += u * u;
      rubbed += c->f[i] * u;
    }
  }
  ledger[WORK_IN] += h * r->stiffness * stretch * r->speed;
  ledger[DAMPED] += h * r->damping * squares;
  ledger[RUBBED] += h * rubbed;
}

static void advance(void *self, double t, double h, double *y)
{
  chain *c = self;
  const double parts = fmax(1, ceil(h / c->longest));
  for (double k = 1; k <= parts; k++) step(c, t + h * (k / parts), h / parts, y);
}

/* ---- what is seen of it ---- */

static bristle_input input_of(const chain *c, const double *y, size_t i)
{
  const bristle_input in = { .v = y[c->count + i], .x = y[i], .n = c->rig->load, .load = c->rig->contact.load, .h = 1 };
  return in;
}

/* The friction on mass i now. Laws that stick exactly need to know what pulls at rest. */
static double friction(const chain *c, double t, const double *y, size_t i)
{
  const bristle_chain *r = c->rig;
  const double here = y[i], left = i ? y[i - 1] : here, right = i + 1 < c->count ? y[i + 1] : here;
  double s[BRISTLE_LAW_SIZE], rate[BRISTLE_LAW_SIZE];
  bristle_input in = input_of(c, y, i);
  in.f = r->coupling * ((left - here) + (right - here)) + r->stiffness * (r->speed * t - here);
  sim_take_states(&c->states, y, i, 1, s);
  return c->law->eval(r->contact.p, s, &in, rate);
}

static bristle_mode mode_of(const chain *c, const double *y, size_t i)
{
  double s[BRISTLE_LAW_SIZE];
  const bristle_input in = input_of(c, y, i);
  sim_take_states(&c->states, y, i, 1, s);
  return c->law->mode(c->rig->contact.p, s, &in);
}

/* that of the mass that moves most freely */
static bristle_mode mode(void *self, double t, const double *y)
{
  const chain *c = self;
  bristle_mode most = BRISTLE_MODE_STUCK;
  (void)t;
  for (size_t i = 0; i < c->count && most != BRISTLE_MODE_SLIDING; i++) {
    const bristle_mode one = mode_of(c, y, i);
    if (one > most) most = one;
  }
  return most;
}

/* the size of the fastest slip */
static double slip(void *self, double t, const double *y)
{
  const chain *c = self;
  double fastest = 0;
  (void)t;
  for (size_t i = 0; i < c->count; i++) fastest = fmax(fastest, fabs(y[c->count + i]));
  return fastest;
}

static void speeds(void *self, double t, const double *y, double *values)
{
  (void)t;
  const chain *c = self;
  for (size_t i = 0; i < c->count; i++) values[i] = fabs(y[c->count + i]);
}

static double stored(void *self, double t, const double *y, double *contact)
{
  const chain *c = self;
  const bristle_chain *r = c->rig;
  double squares = 0, bent = 0, pulled = 0, held = 0, s[BRISTLE_LAW_SIZE];
  for (size_t i = 0; i < c->count; i++) {
    const double v = y[c->count + i], gap = i ? y[i] - y[i - 1] : 0, stretch = r->speed * t - y[i];
    const bristle_input in = input_of(c, y, i);
    squares += v * v;
    bent += gap * gap;
    pulled += stretch * stretch;
    sim_take_states(&c->states, y, i, 1, s);
    held += c->law->energy(r->contact.p, s, &in);
  }
  *contact = held;
  return 0.5 * (r->mass * squares + r->coupling * bent + r->stiffness * pulled);
}

static double begin(void *self, double t)
{
  (void)self, (void)t;
  return HUGE_VAL; /* the plate never changes its speed */
}

/* The plate sets the scale of the motion, so that masses which have never moved need not start with all digits. */
static void share_scales(void *self, double *scale)
{
  const chain *c = self;
  scale[0] = fmax(scale[0], fabs(c->plate));
  scale[c->count] = fmax(scale[c->count], fabs(c->rig->speed));
  scale[c->states.flow - LEDGER] = fmax(scale[c->states.flow - LEDGER], c->rig->mass * c->rig->speed * c->rig->speed);
  sim_share(scale, c->count);
  sim_share(scale + c->count, c->count);
  sim_share_states(&c->states, scale);
}

static void row(void *self, double t, const double *y, double *values)
{
  const chain *c = self;
  double x = 0, v = 0, force = 0, sliding = 0;
  for (size_t i = 0; i < c->count; i++) {
    x += y[i];
    v += y[c->count + i];
    force += friction(c, t, y, i);
    sliding += mode_of(c, y, i) == BRISTLE_MODE_SLIDING;
  }
  const double each = 1 / (double)c->count;
  *values++ = t;
  *values++ = x * each;
  *values++ = v * each;
  *values++ = force * each;
  *values++ = sliding;
  *values++ = slip(self, t, y);
  for (size_t i = 0; c->count <= NAMED && i < c->count; i++) {
    *values++ = y[i];
    *values++ = y[c->count + i];
  }
  *values = mode(self, t, y);
}

static int put_columns(const void *self, int rotary, bristle_sim_column *columns)
{
  const bristle_chain *r = self;
  const char *const length = bristle_length_unit(rotary), *const speed = bristle_speed_unit(rotary);
  int at = sim_put_column(columns, 0, "t", "s");
  at = sim_put_column(columns, at, "x", length);
  at = sim_put_column(columns, at, "v", speed);
  at = sim_put_column(columns, at, "F", bristle_force_unit(rotary));
  at = sim_put_column(columns, at, "sliding", "1");
  at = sim_put_column(columns, at, "v_max", speed);
  for (size_t i = 0; r->count <= NAMED && i < r->count; i++) {
    char name[24];
    snprintf(name, sizeof name, "x%zu", i + 1);
    at = sim_put_column(columns, at, name, length);
    snprintf(name, sizeof name, "v%zu", i + 1);
    at = sim_put_column(columns, at, name, speed);
  }
  return sim_put_column(columns, at, "mode", "1");
}

static bristle_sim_status check(const void *self, bristle_sim_error *error)
{
  const bristle_chain *r = self;
  const double upright[BRISTLE_LAW_SIZE] = { 0 };
  const sim_number numbers[] = { { "mass", r->mass, SIM_POSITIVE },
                                 { "coupling", r->coupling, SIM_NOT_NEGATIVE },
                                 { "stiffness", r->stiffness, SIM_NOT_NEGATIVE },
                                 { "damping", r->damping, SIM_NOT_NEGATIVE },
                                 { "speed", r->speed, SIM_FINITE },
                                 { "load", r->load, SIM_NOT_NEGATIVE },
                                 { "scatter", r->scatter, SIM_NOT_NEGATIVE } };
  if (r->count < 1 || r->count > 1000000000)
    return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "count", "it is %zu, and must be from 1 to 1e9", r->count);
  const bristle_sim_status status = sim_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
  return status ? status : contact_check(&r->contact, upright, error);
}

/* ---- run ---- */

/* The generator splitmix64 at position `index`: every mass has its own number, whatever the order they are asked in. */
static double chance(unsigned seed, size_t index)
{
  uint64_t state = ((uint64_t)seed << 32) + RANDOM_STEP * index;
  return (double)(random_next(&state) >> 11) * 0x1p-52 - 1; /* -1..1 */
}

static bristle_sim_status run_rig(const void *self, const bristle_sim_options *options, const bristle_sim_sink *sink,
                                  bristle_sim_stats *stats, bristle_sim_error *error)
{
  const bristle_chain *r = self;
  bristle_method method;
  bristle_steprule rule;
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const bristle_model *law = r->contact.law->f64;
  bristle_sim_status status = sim_choose_method(options, law->info, r->contact.p, &method, &rule, error);
  if (status) return status;
  const sim_states states = sim_states_of(law->info, r->count, 2 * r->count);
  const size_t numbers = states.flow + states.jump, room = (size_t)law->info->nstate * STRETCH;
  chain *c = calloc(1, sizeof *c);
  double *memory = calloc(numbers + room, sizeof *memory);
  if (c && memory) {
    c->rig = r;
    c->law = law;
    c->count = r->count;
    c->states = states;
    c->s = memory + numbers;
    c->longest = method != BRISTLE_METHOD_ADAPTIVE && r->coupling > 0 ? part_of_limit * sqrt(r->mass / r->coupling)
                                                                      : HUGE_VAL;
    for (int i = 0; i < STRETCH; i++) c->load[i] = r->load;
    for (size_t i = 0; i < r->count; i++) memory[i] = r->scatter * chance(r->seed, i);
    const sim_system system = { .self = c,
                                .flow = states.flow,
                                .jump = states.jump,
                                .width = put_columns(r, 0, columns),
                                .calls = { begin, advance, row, stored, slip, mode, share_scales },
                                .contacts = r->count,
                                .speeds = speeds,
                                .has_energy = (law->info->traits & BRISTLE_TRAIT_ENERGY) != 0 };
    status = sim_run_system(&system, memory, method, &rule, options, sink, stats, error);
  } else {
    status = sim_fail(error, BRISTLE_SIM_MEMORY, 0, "count", "no memory for %zu masses", r->count);
  }
  free(memory);
  free(c);
  return status;
}

extern const bristle_rig_driver sim_chain;
const bristle_rig_driver sim_chain = { .check = check, .columns = put_columns, .run = run_rig };
