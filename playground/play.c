/* The live pictures of the playground: what a law does, in arrays that the page draws. Compiled to WebAssembly, and
 * for the test by the native compiler: the same bits.
 *
 * The page writes parameters and settings into the arrays given out here, calls play_draw and reads the pictures. */
#include "play.h"

#include "bristle/text.h"
#include "maths/elementary.h"

#include <stdint.h>
#include <string.h>

enum { CYCLES = 4, MOST_WARNINGS = 4, TEXT = 600 };
static const double PI = 3.14159265358979323846;

static double p[BRISTLE_LAW_SIZE], setting[PLAY_SETTINGS], steady[2][PLAY_STEADY], loop[2][PLAY_LOOP],
    pull[PLAY_COLUMNS][PLAY_PULL];
static char text[TEXT];

static const bristle_model *model_of(int law) { return bristle_law_at(law)->f64; }

PLAY(play_parameters) double *play_parameters(void) { return p; }
PLAY(play_settings) double *play_settings(void) { return setting; }
PLAY(play_steady) double *play_steady(int column) { return steady[column]; }
PLAY(play_loop) double *play_loop(int column) { return loop[column]; }
PLAY(play_pull) double *play_pull(int column) { return pull[column]; }

/* The page ends the tool by returning from its main; what is still in buffers has to come out. */
PLAY(play_flush) void play_flush(void) { fflush(NULL); }

/* Places of the flat array whose sum must stay 1, as pairs first, count; returns how many pairs. */
PLAY(play_shares) int play_shares(int law, int *pairs)
{
  const bristle_info *info = model_of(law)->info;
  int count = 0;
  for (int r = 0; r < info->relations; r++) {
    if (info->relation[r].kind != BRISTLE_RELATION_SUM_IS_ONE) continue;
    const bristle_row *row = bristle_param_at(info, info->relation[r].a);
    pairs[2 * count] = row->first, pairs[2 * count + 1] = row->count;
    count++;
  }
  return count;
}

/* ---- what is drawn where nobody has chosen yet: by the sizes of the law's usual parameters ---- */

static double law_speed(const bristle_info *info)
{
  const bristle_row *row = bristle_law_speed(info);
  if (!row || !(p[row->first] > 0)) return 0.01;
  return !strcmp(row->unit, "s/m") ? 1 / p[row->first] : p[row->first];
}

/* friction that the law comes to when it slides slowly from rest */
static double level(const bristle_model *model, double speed)
{
  double s[BRISTLE_LAW_SIZE] = { 0 }, largest = 0;
  const bristle_input in = { .v = speed, .n = setting[PLAY_LOAD], .h = 1e-4, .load = model->info->load };
  for (int i = 0; i < 2000; i++) largest = fmax(largest, fabs(model->step(p, s, &in, NULL)));
  return largest;
}

/* the way after which half of the level is there; 0 where it is there at once */
static double length(const bristle_model *model, double speed, double half)
{
  double s[BRISTLE_LAW_SIZE] = { 0 }, x = 0;
  for (double way = 1e-9; way < 1e-2; way *= 1.05) {
    const bristle_input in = {
      .v = speed, .x = x, .n = setting[PLAY_LOAD], .h = way / speed, .load = model->info->load
    };
    if (fabs(model->step(p, s, &in, NULL)) > half) break;
    x += way;
  }
  return x > 1e-2 ? 0 : x;
}

PLAY(play_usual) void play_usual(int law)
{
  const bristle_model *model = model_of(law);
  bristle_defaults(model->info, p);
  setting[PLAY_LOAD] = 1;
  const double speed = law_speed(model->info), force = level(model, speed),
               way = length(model, 0.01 * speed, force / 2);
  setting[PLAY_SPEED_RANGE] = fmin(10 * speed, 1);
  setting[PLAY_AMPLITUDE] = way > 1e-8 ? 10 * way : 5e-5;
  setting[PLAY_FREQUENCY] = 1;
  setting[PLAY_MASS] = 1;
  setting[PLAY_STIFFNESS] = force > 0 ? 1.3 * force : 2;
  setting[PLAY_PULL_SPEED] = 0.1;
  setting[PLAY_TIME] = 20;
  setting[PLAY_STOP] = 1e4;
  setting[PLAY_INTEGRAL] = setting[PLAY_DAMPING] = 0;
}

/* ---- may these numbers be used? ---- */

/* A sentence that refuses the parameters, or "". */
PLAY(play_refusal) const char *play_refusal(int law)
{
  bristle_error error;
  text[0] = '\0';
  if (bristle_check(model_of(law), p, &error) != BRISTLE_STATUS_OK) bristle_error_text(&error, text, sizeof text);
  return text;
}

/* Warnings that are no errors, one on each line. */
PLAY(play_advice) const char *play_advice(int law)
{
  const bristle_model *model = model_of(law);
  bristle_breach found[MOST_WARNINGS];
  const bristle_input in = { .n = setting[PLAY_LOAD], .load = model->info->load };
  int count = model->advice(p, &in, found, MOST_WARNINGS);
  if (count > MOST_WARNINGS) count = MOST_WARNINGS;
  text[0] = '\0';
  for (int i = 0; i < count; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s: %s", i ? "\n" : "", found[i].param, found[i].rule);
  }
  return text;
}

/* ---- the pictures ---- */

/* Steps between two points of a curve. Laws of many elements take longer for each, and a picture has 16 ms. */
static int parts_of(const bristle_model *model) { return model->info->nstate > 8 ? 2 : 4; }

/* dense around rest, where curves bend */
static void draw_steady(const bristle_model *model)
{
  const double range = setting[PLAY_SPEED_RANGE];
  for (int i = 0; i < PLAY_STEADY; i++) {
    const double u = 2.0 * i / (PLAY_STEADY - 1) - 1, v = range * u * fabs(u) * fabs(u);
    const bristle_input in = { .v = v, .n = setting[PLAY_LOAD], .load = model->info->load };
    steady[0][i] = v;
    steady[1][i] = v != 0 ? model->steady(p, &in) : (double)NAN; /* at rest it may be anything between the two sides */
  }
}

/* The contact is moved to and fro, twice all the way, then half and a quarter of it. */
static void draw_loop(const bristle_model *model)
{
  static const double part[CYCLES] = { 1, 1, 0.5, 0.25 };
  const int parts = parts_of(model);
  double s[BRISTLE_LAW_SIZE] = { 0 }, x = 0;
  const double h = CYCLES / (setting[PLAY_FREQUENCY] * (PLAY_LOOP - 1) * parts);
  loop[0][0] = loop[1][0] = 0;
  for (int i = 1; i < PLAY_LOOP; i++) {
    double force = 0;
    for (int k = 1; k <= parts; k++) {
      const double turn = CYCLES * ((i - 1) + k / (double)parts) / (PLAY_LOOP - 1);
      const int cycle = turn < CYCLES ? (int)turn : CYCLES - 1;
      const double to = setting[PLAY_AMPLITUDE] * part[cycle] * sin(2 * PI * (turn - cycle));
      const bristle_input in = {
        .v = (to - x) / h, .x = x, .n = setting[PLAY_LOAD], .h = h, .load = model->info->load
      };
      force = model->step(p, s, &in, NULL);
      x = to;
    }
    loop[0][i] = x, loop[1][i] = force;
  }
}

typedef struct block {
  double t, x, v, force, work, lost, sum; /* sum: of the error over time, for a drive with an integral part */
} block;

static double puller_at(double t) { return setting[PLAY_PULL_SPEED] * fmin(t, setting[PLAY_STOP]); }

/* a drive with more than a spring stores nothing: what it gives is its force times the velocity */
static int is_drive(void) { return setting[PLAY_INTEGRAL] > 0 || setting[PLAY_DAMPING] > 0; }

static void note_row(const bristle_model *model, const double *s, const block *b, int i)
{
  const double stretch = is_drive() ? 0 : puller_at(b->t) - b->x, v = b->v;
  const bristle_input in = { .v = v, .x = b->x, .n = setting[PLAY_LOAD], .load = model->info->load };
  pull[PLAY_T][i] = b->t;
  pull[PLAY_X][i] = b->x;
  pull[PLAY_PULLER][i] = puller_at(b->t);
  pull[PLAY_V][i] = v;
  pull[PLAY_F][i] = b->force;
  pull[PLAY_MODE][i] = model->mode(p, s, &in);
  pull[PLAY_WORK][i] = b->work;
  pull[PLAY_LOST][i] = b->lost;
  pull[PLAY_STORED][i] = setting[PLAY_STIFFNESS] * stretch * stretch / 2 + setting[PLAY_MASS] * v * v / 2;
}

/* A block on the contact, pulled by a spring whose other end moves steadily until it stops; or by a drive with damping
   and an integral part. */
static void draw_pull(const bristle_model *model)
{
  const int parts = parts_of(model);
  const double h = setting[PLAY_TIME] / ((PLAY_PULL - 1) * parts), k = setting[PLAY_STIFFNESS],
               w = h / setting[PLAY_MASS], damping = setting[PLAY_DAMPING], rate = setting[PLAY_INTEGRAL];
  double s[BRISTLE_LAW_SIZE] = { 0 };
  block b = { 0 };
  note_row(model, s, &b, 0);
  for (int i = 1; i < PLAY_PULL; i++) {
    for (int part = 0; part < parts; part++) {
      /* the spring is taken at the end of the step, too: its stiffness is part of the compliance */
      const double t = b.t + h, to = puller_at(t), soft = 1 + w * (h * k + damping),
                   free = (b.v + w * k * (to - b.x + rate * b.sum)) / soft;
      const bristle_input in = {
        .v = free, .x = b.x, .n = setting[PLAY_LOAD], .w = w / soft, .h = h, .load = model->info->load
      };
      double v = 0;
      b.force = model->step(p, s, &in, &v);
      b.x += h * v, b.v = v, b.t = t;
      if (is_drive()) b.work += h * v * (k * (to - b.x + rate * b.sum) - damping * v);
      else b.work += k * (to - b.x) * (to - puller_at(t - h));
      b.sum += h * (to - b.x);
      b.lost += h * b.force * v;
    }
    note_row(model, s, &b, i);
  }
}

PLAY(play_draw) void play_draw(int law)
{
  const bristle_model *model = model_of(law);
  draw_steady(model);
  draw_loop(model);
  draw_pull(model);
}

/* ---- a record to identify: short loops, then sliding, with a little noise in the force ---- */

static double record_path(double t)
{
  const double half = PLAY_RECORD_STEP * PLAY_RECORD / 2, slow = 2 * PI, fast = 4 * PI;
  const double sway = t < half ? 1.2 - t / half : 0.2, late = t < half ? 0 : t - half;
  return setting[PLAY_AMPLITUDE] * sway * sin(slow * t) + setting[PLAY_SPEED_RANGE] / fast * (1 - cos(fast * late));
}

PLAY(play_record) double *play_record(int law)
{
  static double record[3][PLAY_RECORD], rate[BRISTLE_LAW_SIZE];
  const bristle_model *model = model_of(law);
  const double h = PLAY_RECORD_STEP;
  double s[BRISTLE_LAW_SIZE] = { 0 }, largest = 0;
  uint32_t seed = 1;
  for (int i = 0; i < PLAY_RECORD; i++) {
    const double t = h * i, before = record_path(t - h), x = record_path(t), after = record_path(t + h);
    bristle_input in = {
      .v = (x - before) / h, .x = before, .n = setting[PLAY_LOAD], .h = h, .load = model->info->load
    };
    if (i) model->step(p, s, &in, NULL);
    in.v = (after - before) / (2 * h), in.a = (after - 2 * x + before) / (h * h), in.x = x; /* now, not over the step */
    record[0][i] = t, record[1][i] = x, record[2][i] = model->eval(p, s, &in, rate);
    largest = fmax(largest, fabs(record[2][i]));
  }
  for (int i = 0; i < PLAY_RECORD; i++) {
    double noise = -6; /* nearly normal: the sum of twelve even numbers */
    for (int k = 0; k < 12; k++) seed = seed * 1664525u + 1013904223u, noise += seed / 4294967296.0;
    record[2][i] += 0.01 * largest * noise;
  }
  return record[0];
}

/* ---- for the test: every bit of every picture in one number ---- */

static uint64_t mix(uint64_t hash, const double *value, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = 0;
    if (value[i] == value[i]) memcpy(&bits, &value[i], sizeof bits);
    hash = (hash ^ bits) * 1099511628211u;
    hash ^= hash >> 29;
  }
  return hash;
}

PLAY(play_bits) unsigned play_bits(int law, int half)
{
  play_draw(law);
  uint64_t hash = mix(14695981039346656037u, steady[0], 2 * PLAY_STEADY);
  hash = mix(hash, loop[0], 2 * PLAY_LOOP);
  hash = mix(hash, pull[0], PLAY_COLUMNS * PLAY_PULL);
  return (unsigned)(half ? hash >> 32 : hash);
}
