/* Programs of time in scenarios: a number, a generator, or the column of a table. */
#include "io/scenario_inside.h"

#include "maths/elementary.h"

const program_kind program_of_force = {
  1, { { "N", "N*m" } }, { { "N/s", "N*m/s" } }, { "F|force|f|torque|tau|M|u", NULL }
};
const program_kind program_of_torque = {
  1, { { "N*m", "N*m" } }, { { "N*m/s", "N*m/s" } }, { "torque|tau|M|u", NULL }
};
const program_kind program_of_voltage = { 1, { { "V", "V" } }, { { "V/s", "V/s" } }, { "u|voltage|U|V", NULL } };
const program_kind program_of_target = {
  1, { { "m", "rad" } }, { { "m/s", "rad/s" } }, { "target|reference|r|x_ref|q_ref|x|q", NULL }
};
const program_kind program_of_speed = {
  1, { { "m/s", "rad/s" } }, { { "m/s^2", "rad/s^2" } }, { "v|velocity|speed|w|omega", NULL }
};
/* a transmitted torque is the load of a gear */
const program_kind program_of_load = {
  1, { { "N|N*m", "N|N*m" } }, { { "N/s|N*m/s", "N/s|N*m/s" } }, { "N|load|normal_load|normal_force|Fn", NULL }
};
const program_kind program_of_motion = { 2,
                                         { { "m", "rad" }, { "m/s", "rad/s" } },
                                         { { "m/s", "rad/s" }, { "m/s^2", "rad/s^2" } },
                                         { "x|position|displacement|q|angle|theta",
                                           "v|velocity|speed|w|omega|angular_velocity|dq|xdot|qdot" } };

typedef struct builder {
  reader *r;
  const program_kind *kind;
  int order; /* of a motion: 0 position, 1 velocity, -1 while no unit has decided */
  bristle_program *out;
} builder;

enum { PER_TIME = 16, OR_TIME = 32 };

/* a value of the program, or its slope (PER_TIME); its unit decides between position and velocity, linear and rotary.
   Returns 1 when it was a time, which OR_TIME allows */
static int read_amount(builder *b, const bristle_node *node, int rules, double *value)
{
  reader *r = b->r;
  const unit_pair *units = rules & PER_TIME ? b->kind->rate : b->kind->unit;
  struct {
    int order, rotary;
  } meant[4];
  char wanted[100] = "";
  size_t used = 0;
  int count = 0, which = -1;
  if (r->kind) return 0;
  for (int i = 0; i < 2 * b->kind->orders; i++) {
    const int order = i / 2, rotary = i % 2, same = !strcmp(units[order].linear, units[order].rotary);
    const int closed = r->rotary != BRISTLE_LINEAR_OR_ROTARY || same;
    if (b->order >= 0 && order != b->order) continue;
    if (closed && rotary != (r->rotary == 1)) continue;
    used = text_append(wanted, sizeof wanted, used, "%s%s", count ? "|" : "",
                       rotary ? units[order].rotary : units[order].linear);
    meant[count].order = order;
    meant[count++].rotary = same ? BRISTLE_LINEAR_OR_ROTARY : rotary;
  }
  int words = count;
  for (const char *bar = wanted; count == 1 && (bar = strchr(bar, '|')); bar++) words++;
  if (rules & OR_TIME) snprintf(wanted + used, sizeof wanted - used, "|s");
  r->kind = bristle_node_number(node, wanted, value, &which, r->fault);
  reader_explain_unit(r);
  if (r->kind) return 0;
  check_rules(r, node, rules, *value);
  if (which < 0) return 0;
  if (which == words) return 1;
  if (count == 1) which = 0;
  b->order = meant[which].order;
  if (meant[which].rotary >= 0) reader_decide(r, node, units[b->order], meant[which].rotary);
  return 0;
}

static const bristle_node *amount(builder *b, const bristle_node *map, const char *key, int rules, double *value)
{
  const bristle_node *node = bristle_node_find(map, key);
  char meaning[60];
  snprintf(meaning, sizeof meaning, "%s: 1", key);
  if (!node && rules & NEEDED) reader_need(b->r, map, key, meaning);
  if (node) read_amount(b, node, rules, value);
  return node;
}

/* in Hz; rad/s are angular frequencies */
static double frequency(reader *r, const bristle_node *map, const char *key, int rules)
{
  double value = 0;
  int which = -1;
  const bristle_node *node = reader_need(r, map, key, "frequency: 1 Hz");
  if (r->kind) return 1;
  r->kind = bristle_node_number(node, "Hz|rad/s", &value, &which, r->fault);
  if (which == 1) value /= 6.283185307179586477;
  check_rules(r, node, rules, value);
  return value;
}

/* ---- generators ---- */

static void make_waves(builder *b, const bristle_node *first, size_t count)
{
  reader *r = b->r;
  double *amplitude = reader_take_numbers(r, 3 * count);
  size_t i = 0;
  if (!amplitude) return;
  double *hertz = amplitude + count, *phase = hertz + count;
  for (const bristle_node *n = first; i < count && !r->kind; n = n->next, i++) {
    double offset = 0;
    reader_allow(r, n, "amplitude|frequency|phase|offset");
    if (r->kind) return;
    amount(b, n, "amplitude", NEEDED, &amplitude[i]);
    hertz[i] = frequency(r, n, "frequency", POSITIVE);
    read_number(r, n, "phase", (unit_pair){ "rad", "rad" }, ANY, &phase[i]);
    amount(b, n, "offset", ANY, &offset);
    b->out->offset += offset;
  }
  b->out->kind = BRISTLE_PROGRAM_SINES;
  b->out->count = count;
  b->out->amplitude = amplitude;
  b->out->frequency = hertz;
  b->out->phase = phase;
}

static void make_sine(builder *b, const bristle_node *map) { make_waves(b, map, 1); }

static void make_sines(builder *b, const bristle_node *list)
{
  b->r->kind = bristle_node_expect(list, BRISTLE_NODE_LIST, b->r->fault);
  if (!list->count) reader_fail(b->r, list, "write [{amplitude: 1, frequency: 2}, ...]", "found no waves");
  if (!b->r->kind) make_waves(b, list->child, list->count);
}

static double *knots(builder *b, size_t count)
{
  double *t = reader_take_numbers(b->r, 2 * count);
  if (!t) return NULL;
  b->out->kind = BRISTLE_PROGRAM_KNOTS;
  b->out->count = count;
  b->out->t = t;
  b->out->y = t + count;
  return t;
}

static void make_triangle(builder *b, const bristle_node *map)
{
  double height = 0;
  reader_allow(b->r, map, "amplitude|frequency|offset");
  if (b->r->kind) return;
  amount(b, map, "amplitude", NEEDED, &height);
  amount(b, map, "offset", ANY, &b->out->offset);
  const double period = 1 / frequency(b->r, map, "frequency", POSITIVE);
  double *t = knots(b, 4);
  if (!t) return;
  double *y = t + 4;
  for (int i = 0; i < 4; i++) t[i] = period * (i == 0 ? 0 : i == 3 ? 1 : 0.5 * i - 0.25);
  y[1] = height, y[2] = -height;
  b->out->period = period;
}

static void make_trapezoid(builder *b, const bristle_node *map)
{
  double height = 0, ramp = 0, hold = 0, rest = 0;
  reader *r = b->r;
  reader_allow(r, map, "speed|amplitude|ramp|hold|rest");
  if (r->kind) return;
  const int named = bristle_node_find(map, "amplitude") && !bristle_node_find(map, "speed");
  amount(b, map, named ? "amplitude" : "speed", NEEDED, &height);
  if (!named && bristle_node_find(map, "amplitude"))
    reader_fail(r, bristle_node_find(map, "amplitude"), "delete one of the two", "found 'speed' and 'amplitude'");
  read_number(r, map, "ramp", unit_time, NEEDED | NOT_NEGATIVE, &ramp);
  read_number(r, map, "hold", unit_time, NEEDED | NOT_NEGATIVE, &hold);
  read_number(r, map, "rest", unit_time, NOT_NEGATIVE, &rest);
  const double half = 2 * ramp + hold + rest;
  if (!(half > 0)) reader_fail(r, map, "give ramp, hold or rest a length", "found a trapezoid without any length");
  double *t = knots(b, 9);
  if (!t) return;
  double *y = t + 9;
  const double at[4] = { 0, ramp, ramp + hold, 2 * ramp + hold };
  for (int i = 0; i < 9; i++) {
    t[i] = i == 8 ? 2 * half : at[i % 4] + (i / 4) * half;
    y[i] = i % 4 == 1 || i % 4 == 2 ? (i < 4 ? height : -height) : 0;
  }
  b->out->period = 2 * half;
}

static void make_chirp(builder *b, const bristle_node *map)
{
  double *height = reader_take_numbers(b->r, 1);
  reader_allow(b->r, map, "amplitude|from|to|duration|offset");
  if (b->r->kind) return;
  amount(b, map, "amplitude", NEEDED, height);
  amount(b, map, "offset", ANY, &b->out->offset);
  b->out->kind = BRISTLE_PROGRAM_CHIRP;
  b->out->count = 1;
  b->out->amplitude = height;
  b->out->f0 = frequency(b->r, map, "from", NOT_NEGATIVE);
  b->out->f1 = frequency(b->r, map, "to", NOT_NEGATIVE);
  read_number(b->r, map, "duration", unit_time, NEEDED | POSITIVE, &b->out->duration);
}

/* each value holds until the next begins */
static void make_steps(builder *b, const bristle_node *map)
{
  reader *r = b->r;
  double duration = 0, last = 0;
  size_t i = 0;
  reader_allow(r, map, "values|duration|times");
  const bristle_node *values = reader_need(r, map, "values", "values: [1, 2, 3]");
  if (!r->kind) r->kind = bristle_node_expect(values, BRISTLE_NODE_LIST, r->fault);
  if (r->kind) return;
  if (!values->count) reader_fail(r, values, "write [1, 2, 3]", "found an empty list");
  const bristle_node *times = bristle_node_find(map, "times"), *when = NULL;
  if (times && bristle_node_find(map, "duration"))
    reader_fail(r, times, "give the times or one duration", "found both 'times' and 'duration'");
  if (!times) read_number(r, map, "duration", unit_time, NEEDED | POSITIVE, &duration);
  if (times && !r->kind) r->kind = bristle_node_expect(times, BRISTLE_NODE_LIST, r->fault);
  if (times && times->count != values->count)
    reader_fail(r, times, NULL, "found %zu times, expected as many as there are values, %zu", times->count,
                values->count);
  double *t = knots(b, 2 * values->count - 1);
  if (!t) return;
  double *y = t + b->out->count;
  when = times ? times->child : NULL;
  for (const bristle_node *n = values->child; n && !r->kind; n = n->next, i++) {
    double start = (double)i * duration;
    if (when) read_value(r, when, unit_time, ANY, &start);
    if (when && i && start <= last)
      reader_fail(r, when, "sort them", "found a time that is not later than the one before");
    read_amount(b, n, ANY, &y[2 * i]);
    t[2 * i] = last = start;
    if (i) t[2 * i - 1] = start, y[2 * i - 1] = y[2 * i - 2];
    if (when) when = when->next;
  }
}

static void make_ramp(builder *b, const bristle_node *map)
{
  double rate = 0, from = 0, hold = 0, end = reader_horizon(b->r), level;
  reader *r = b->r;
  reader_allow(r, map, "rate|from|hold");
  if (r->kind) return;
  amount(b, map, "rate", NEEDED | PER_TIME, &rate);
  amount(b, map, "from", ANY, &from);
  const bristle_node *node = bristle_node_find(map, "hold");
  level = from + rate * end;
  if (node) {
    const int is_time = read_amount(b, node, OR_TIME, &hold);
    end = is_time ? hold : (hold - from) / rate;
    level = is_time ? from + rate * hold : hold;
    if (!(end > 0))
      reader_fail(r, node, "`hold` is the value at which the ramp ends (2 N), or the time (3 s)",
                  "the ramp never gets there");
  }
  double *t = knots(b, 2);
  if (!t) return;
  double *y = t + 2;
  t[1] = end;
  y[0] = from, y[1] = level;
}

static void make_knots(builder *b, const bristle_node *list)
{
  reader *r = b->r;
  size_t i = 0;
  r->kind = bristle_node_expect(list, BRISTLE_NODE_LIST, r->fault);
  if (!r->kind && !list->count) reader_fail(r, list, "write [[0, 0], [1, 0.5]]", "found no knots");
  if (r->kind) return;
  double *t = knots(b, list->count);
  if (!t) return;
  double *y = t + list->count;
  for (const bristle_node *n = list->child; n && !r->kind; n = n->next, i++) {
    r->kind = bristle_node_expect(n, BRISTLE_NODE_LIST, r->fault);
    if (!r->kind && n->count != 2)
      reader_fail(r, n, "write [time, value]", "found %zu numbers, expected a time and a value", n->count);
    if (r->kind) return;
    read_value(r, n->child, unit_time, ANY, &t[i]);
    read_amount(b, n->child->next, ANY, &y[i]);
    if (i && t[i] < t[i - 1])
      reader_fail(r, n->child, "sort the knots", "found a time before the one of the last knot");
  }
}

/* ---- the node as a whole ---- */

static const struct generator {
  const char *name;
  void (*make)(builder *b, const bristle_node *node);
  int order; /* of a motion given in plain numbers */
} generators[] = {
  { "sine", make_sine, 0 },   { "sines", make_sines, 0 }, { "triangle", make_triangle, 0 },
  { "chirp", make_chirp, 0 }, { "knots", make_knots, 1 }, { "trapezoid", make_trapezoid, 1 },
  { "steps", make_steps, 1 }, { "ramp", make_ramp, 1 },
};

static void generate(builder *b, const bristle_node *map, const char *more)
{
  const struct generator *chosen = NULL;
  const bristle_node *node = NULL;
  char keys[120];
  snprintf(keys, sizeof keys, "sine|sines|triangle|chirp|knots|trapezoid|steps|ramp|file|column%s", more);
  reader_allow(b->r, map, keys);
  for (const bristle_node *n = b->r->kind ? NULL : map->child; n; n = n->next) {
    if (!strcmp(n->key, "of") || !strcmp(n->key, "column")) continue;
    if (node) {
      reader_fail(b->r, n, "several sines are {sines: [{...}, {...}]}", "found '%s' beside '%s', expected one of them",
                  n->key, node->key);
      return;
    }
    node = n;
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
      if (!strcmp(generators[i].name, n->key)) chosen = &generators[i];
  }
  if (!node && !bristle_node_find(map, "column"))
    reader_fail(b->r, map, "write {sine: {amplitude: 1, frequency: 2}}, {file: data.csv}, ...", "found no generator");
  if (b->r->kind) return;
  if (!chosen) {
    read_column_program(b->r, map, b->kind, &b->order, b->out);
    return;
  }
  if (bristle_node_find(map, "column"))
    reader_fail(b->r, bristle_node_find(map, "column"), NULL, "'column' belongs to a file");
  if (!b->r->kind) chosen->make(b, node);
  if (b->order < 0) b->order = chosen->order;
}

void read_program(reader *r, const bristle_node *node, const program_kind *kind, bristle_program *out)
{
  builder b = { r, kind, 0, out };
  if (r->kind || !node) return;
  memset(out, 0, sizeof *out);
  if (node->kind == BRISTLE_NODE_MAP && !bristle_node_find(node, "value")) generate(&b, node, "");
  else read_amount(&b, node, ANY, &out->offset);
}

void read_motion(reader *r, const bristle_node *node, bristle_program *out, int *order)
{
  builder b = { r, &program_of_motion, -1, out };
  if (!r->kind) r->kind = bristle_node_expect(node, BRISTLE_NODE_MAP, r->fault);
  if (r->kind) return;
  b.order = read_choice(r, node, "of", "position|velocity", -1);
  generate(&b, node, "|of");
  *order = b.order;
}
