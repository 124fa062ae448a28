/* Free decays in measured records: what kind of motion it is, where it is free, and what to start a fit from. */
#include "fit/decays/decay.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { MOST_TRACKS = 256, MOST_PIECES = 256, MOST_SAMPLES = 20000, FEWEST = 20 };
static const double FADES = 0.97; /* a last swing or speed of more than this part of the first is no decay */

void bristle_decay_free(bristle_decay *decay)
{
  if (!decay) return;
  memory_free(decay->memory_list);
  free(decay);
}

/* ---- tracks ---- */

typedef struct tracks {
  size_t count, log[MOST_TRACKS];
  decay_track track[MOST_TRACKS];
} tracks;

static bristle_fault_kind make_tracks(bristle_decay *d, const bristle_decay_options *o, bristle_log *const *logs,
                                      size_t count, tracks *all, bristle_fault *fault)
{
  for (size_t l = 0; l < count; l++) {
    const bristle_log *log = logs[l];
    const double *measured = log->x ? log->x : log->v;
    const bristle_channel_facts *fact = &log->fact[log->x ? BRISTLE_CHANNEL_POSITION : BRISTLE_CHANNEL_VELOCITY];
    const double quantum = fact->quantum, noise = fact->noise;
    if (l && ((log->unit_is_given && log->rotary != d->rotary) || (log->x == NULL) != d->by_velocity)) {
      fault_set(fault, BRISTLE_FAULT_VALUE, "identify them one at a time",
                "the records do not measure the same: position or velocity, linear or rotary");
      return fault_at(fault, log->file, 0, 0);
    }
    d->rotary = log->rotary, d->by_velocity = !log->x;
    if (!log->unit_is_given && o->units == BRISTLE_DECAY_ROTARY) d->rotary = 1;
    if (o->units && d->rotary != (o->units == BRISTLE_DECAY_ROTARY)) {
      fault_set(fault, BRISTLE_FAULT_UNIT,
                "give the mass of a body along a line in kg, the inertia of a rotor in kg*m^2",
                "the %s is in %s, and the value given is that of %s", log->column[log->x ? 1 : 2],
                d->rotary ? "angles" : "lengths", d->rotary ? "a body along a line" : "a rotor");
      return fault_at(fault, log->file, 0, 0);
    }
    d->noise = fmax(d->noise, noise);
    for (size_t k = 0; k < log->stretches && all->count < MOST_TRACKS; k++) {
      decay_track *track = &all->track[all->count];
      *track = (decay_track){ .count = log->first[k + 1] - log->first[k],
                              .t = log->t + log->first[k],
                              .measured = measured + log->first[k],
                              .noise = noise,
                              .quantum = quantum,
                              .by_velocity = d->by_velocity };
      if (track->count < FEWEST) continue;
      if (decay_track_look(track, &d->memory_list)) return fault_memory(fault);
      all->log[all->count++] = l;
    }
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- what kind of motion ---- */

static bristle_fault_kind wrong(const char *option, const char *why, bristle_fault *fault)
{
  return fault_set(fault, BRISTLE_FAULT_VALUE, "look at the units of the columns, or leave the option out", "%s %s",
                   option, why);
}

static bristle_fault_kind choose_kind(bristle_decay *d, const bristle_decay_options *o, const tracks *all,
                                      bristle_fault *fault)
{
  int swings = 0;
  for (size_t k = 0; k < all->count; k++) swings |= all->track[k].half_period > 0;
  const bristle_known restoring = d->rotary ? o->gravity : o->stiffness;
  if (!d->rotary && o->gravity > BRISTLE_ABSENT)
    return wrong("option gravity", "belongs to a pendulum, and the motion is along a line", fault);
  if (d->rotary && o->stiffness > BRISTLE_ABSENT && o->gravity > BRISTLE_ABSENT)
    return wrong("option stiffness", "and option gravity cannot both be found from one swing: give one of them", fault);
  if (o->stiffness > BRISTLE_ABSENT) d->kind = BRISTLE_DECAY_SPRING;
  else if (restoring > BRISTLE_ABSENT) d->kind = BRISTLE_DECAY_PENDULUM;
  else if (restoring == BRISTLE_ABSENT || !swings) d->kind = BRISTLE_DECAY_COAST;
  else d->kind = d->rotary ? BRISTLE_DECAY_PENDULUM : BRISTLE_DECAY_SPRING;
  return BRISTLE_FAULT_NONE;
}

/* ---- releases ---- */

typedef struct release {
  size_t track;
  decay_piece piece;
} release;

static size_t cut_all(const bristle_decay *d, const tracks *all, release *found, bristle_log *const *logs)
{
  size_t count = 0;
  decay_piece piece[MOST_PIECES];
  for (size_t k = 0; k < all->count; k++) {
    const decay_track *track = &all->track[k];
    const size_t cut = d->kind == BRISTLE_DECAY_COAST ? decay_cut_coasts(track, piece, MOST_PIECES)
                                                      : decay_cut_swings(track, piece, MOST_PIECES);
    for (size_t i = 0; i < cut && count < MOST_PIECES; i++) {
      found[count++] = (release){ k, piece[i] };
      const double *t = track->t + piece[i].first;
      log_note(logs[all->log[k]], 0, "free from %.4g to %.4g s: %zu samples%s", t[0], t[piece[i].count - 1],
               piece[i].count, piece[i].rests ? ", then at rest" : "");
    }
  }
  return count;
}

/* slope at the first sample of a parabola through the first ones */
static double slope_at_start(const double *t, const double *y, size_t count)
{
  double s[5] = { 0 }, b[3] = { 0 };
  for (size_t i = 0; i < count; i++) {
    const double h = (t[i] - t[0]) / (t[count - 1] - t[0]), power[5] = { 1, h, h * h, h * h * h, h * h * h * h };
    for (int j = 0; j < 5; j++) s[j] += power[j];
    for (int j = 0; j < 3; j++) b[j] += power[j] * (y[i] - y[0]);
  }
  const double det = s[0] * (s[2] * s[4] - s[3] * s[3]) - s[1] * (s[1] * s[4] - s[2] * s[3])
                     + s[2] * (s[1] * s[3] - s[2] * s[2]);
  const double top = s[0] * (b[1] * s[4] - b[2] * s[3]) - b[0] * (s[1] * s[4] - s[2] * s[3])
                     + s[2] * (s[1] * b[2] - s[2] * b[1]);
  return top / det / (t[count - 1] - t[0]);
}

static bristle_fault_kind make_run(bristle_decay *d, const tracks *all, const release *from, size_t stride,
                                   bristle_run *run, const char *name, bristle_fault *fault)
{
  const decay_track *track = &all->track[from->track];
  const decay_piece *piece = &from->piece;
  const size_t count = (piece->count + stride - 1) / stride;
  double *t = memory_take(&d->memory_list, sizeof *t * 2 * count), *y = t ? t + count : NULL;
  if (!t) return fault_memory(fault);
  for (size_t i = 0; i < count; i++) {
    t[i] = track->t[piece->first + i * stride];
    y[i] = track->measured[piece->first + i * stride];
  }
  *run = (bristle_run){ .name = name, .count = count, .t = t };
  size_t few = 3;
  const double near = d->half_period > 0 ? 0.15 * d->half_period : 0.05 * (t[count - 1] - t[0]);
  while (few < count && (few < 7 || t[few] - t[0] < near)) few++;
  if (d->by_velocity) {
    run->velocity = y;
    for (size_t i = 0; i < few; i++) run->v += y[i] / (double)few;
    double low = track->x[piece->first], high = low; /* the middle of the swing is where it hangs */
    for (size_t i = piece->first + piece->count / 2; i < piece->first + piece->count; i++)
      low = fmin(low, track->x[i]), high = fmax(high, track->x[i]);
    if (d->kind != BRISTLE_DECAY_COAST) run->x = track->x[piece->first] - 0.5 * (low + high);
  } else {
    run->position = y, run->x = y[0];
    run->v = slope_at_start(t, y, few);
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind check_fading(const bristle_decay *d, const release *found, size_t count, bristle_fault *fault)
{
  double least = 1;
  for (size_t k = 0; k < count; k++) least = fmin(least, found[k].piece.faded);
  if (count && least <= FADES) return BRISTLE_FAULT_NONE;
  if (count)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "record until it has clearly faded, with nothing driving it",
                     "the motion does not decay: its last %s is %.0f %% of the first",
                     d->kind == BRISTLE_DECAY_COAST ? "speed" : "swing", 100 * least);
  return fault_set(
      fault, BRISTLE_FAULT_VALUE,
      d->kind == BRISTLE_DECAY_COAST
          ? "a coast is a speed that falls by itself; use option gravity free or option stiffness free for a swing, "
            "or cut the record with option from and option to"
          : "cut the record with option from and option to, or record longer and faster",
      "no free motion was found: nothing in the record decays by itself over %d samples", 16);
}

/* speeds between samples, without rests */
static void measure(bristle_decay *d)
{
  double squares = 0, samples = 0;
  d->slow = HUGE_VAL;
  for (size_t k = 0; k < d->count; k++) {
    const bristle_run *run = &d->run[k];
    const double *y = run->position ? run->position : run->velocity;
    double mean = 0;
    const size_t reach = run->count / 50 + 1;
    for (size_t i = 0; i < run->count; i++) mean += y[i] / (double)run->count;
    for (size_t i = 0; i < run->count; i++) squares += (y[i] - mean) * (y[i] - mean), samples++;
    for (size_t i = reach; i < run->count; i++) {
      const double v = run->velocity ? fabs(y[i]) : fabs(y[i] - y[i - reach]) / (run->t[i] - run->t[i - reach]);
      d->fast = fmax(d->fast, v);
    }
  }
  d->size = sqrt(squares / samples);
  d->slow = 0.01 * d->fast;
}

static void choose_axis(bristle_decay *d, const bristle_decay_options *o)
{
  const int number = d->kind == BRISTLE_DECAY_PENDULUM ? BRISTLE_PLANT_GRAVITY : BRISTLE_PLANT_STIFFNESS;
  const bristle_known restoring = d->kind == BRISTLE_DECAY_PENDULUM ? o->gravity : o->stiffness;
  const int is_known = d->kind != BRISTLE_DECAY_COAST && restoring == BRISTLE_KNOWN;
  d->per_inertia = o->mass != BRISTLE_KNOWN && !is_known;
  if (o->mass != BRISTLE_KNOWN && is_known) d->axis[d->axis_count++] = BRISTLE_PLANT_MASS;
  if (d->kind == BRISTLE_DECAY_COAST) return;
  if (!is_known) d->axis[d->axis_count++] = number;
  if (!d->by_velocity)
    d->axis[d->axis_count++] = d->kind == BRISTLE_DECAY_PENDULUM ? BRISTLE_PLANT_TILT : BRISTLE_PLANT_BIAS;
}

static bristle_fault_kind make_runs(bristle_decay *d, const tracks *all, const release *found, size_t count,
                                    bristle_log *const *logs, bristle_fault *fault)
{
  size_t samples = 0;
  d->run = memory_take(&d->memory_list, sizeof *d->run * count);
  d->log = memory_take(&d->memory_list, sizeof *d->log * count);
  if (!d->run || !d->log) return fault_memory(fault);
  for (size_t k = 0; k < count; k++) samples += found[k].piece.count;
  const size_t stride = samples / MOST_SAMPLES + 1;
  for (size_t k = 0; k < count; k++) {
    const decay_track *track = &all->track[found[k].track];
    if (!(found[k].piece.faded <= FADES)) continue;
    d->band = fmax(d->band, track->band);
    d->half_period = fmax(d->half_period, d->kind == BRISTLE_DECAY_COAST ? 0 : track->half_period);
    d->log[d->count] = all->log[found[k].track];
    const bristle_fault_kind kind = make_run(d, all, &found[k], stride, &d->run[d->count], logs[d->log[d->count]]->file,
                                             fault);
    if (kind) return kind;
    d->count++;
  }
  return BRISTLE_FAULT_NONE;
}

/* steps short beside the period and the spacing of the samples, but not more than a million in all */
static double choose_step(const bristle_decay *d)
{
  double duration = 0, step = HUGE_VAL;
  for (size_t k = 0; k < d->count; k++) {
    const bristle_run *run = &d->run[k];
    duration += run->t[run->count - 1] - run->t[0];
    step = fmin(step, (run->t[run->count - 1] - run->t[0]) / (double)(run->count - 1));
  }
  if (d->half_period > 0) step = fmin(step, d->half_period / 120);
  const double rate = d->viscous / d->start.plant[BRISTLE_PLANT_MASS];
  if (rate > 0) step = fmin(step, 0.05 / rate);
  return fmax(step, duration / 1e6);
}

bristle_fault_kind bristle_decay_find(bristle_log *const *logs, size_t count, const bristle_decay_options *options,
                                      bristle_decay **decay, bristle_fault *fault)
{
  bristle_decay *d = calloc(1, sizeof *d);
  tracks *all = calloc(1, sizeof *all);
  release *found = calloc(MOST_PIECES, sizeof *found);
  size_t pieces = 0;
  *decay = NULL;
  bristle_fault_kind kind = d && all && found ? BRISTLE_FAULT_NONE : fault_memory(fault);
  if (!kind) kind = make_tracks(d, options, logs, count, all, fault);
  if (!kind) kind = choose_kind(d, options, all, fault);
  if (!kind) {
    pieces = cut_all(d, all, found, logs);
    kind = check_fading(d, found, pieces, fault);
  }
  if (!kind) kind = make_runs(d, all, found, pieces, logs, fault);
  if (!kind) {
    measure(d);
    if (!(d->noise > 1e-7 * d->size)) d->noise = 1e-7 * d->size;
    choose_axis(d, options);
    kind = decay_regress(d, options, fault);
  }
  if (!kind) d->step = choose_step(d);
  free(all), free(found);
  if (kind && !fault->file[0] && count) fault_at(fault, logs[0]->file, 0, 0);
  if (kind) bristle_decay_free(d);
  else *decay = d;
  return kind;
}
