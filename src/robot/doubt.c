/* Do the log and the file mean the same robot? A joint may be counted backwards, have its zero elsewhere, or carry the
   name of another one. Base parameters are free, so that a wrong reading can look like a fit: each other reading is
   tried on a part of the samples, and one that leaves much less of the torques is told. */
#include "robot/doubt.h"
#include "robot/gram.h"

#include "fit/common/parallel.h"
#include "io/support.h"
#include "maths/elementary.h"

#include "lab/report.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 1500, BESIDE = 5 }; /* rotor, viscous part, level, offset, friction that grows with the load */
static const double CLEAR = 0.5;  /* of the logarithm of an rms, summed over the joints */
#define QUARTER 1.57079632679489661923

/* Another way to read the joints of a log. */
typedef struct reading_try {
  int joint, other; /* other >= 0: the two change places */
  int backwards;
  double shift; /* of the zero */
  double gain;  /* what the logarithms of the errors fall by */
} reading_try;

typedef struct doubts {
  const bristle_robot_study *study;
  reading_try *tries;
  double *left; /* of each joint as it is read */
  double *way;  /* the direction of each joint behind the filter, joint after joint, log after log */
  size_t total; /* samples of all logs */
} doubts;

static int is_above(const bristle_bodies *tree, int above, int joint)
{
  while (joint > above) joint = tree->body[joint].parent;
  return joint == above;
}

/* Does the torque of the joint depend on how that one is read? */
static int concerns(const bristle_bodies *tree, int joint, int read)
{
  return is_above(tree, joint, read) || is_above(tree, read, joint);
}

/* One row: the bodies behind the joint, what stands beside them, the torque. x: an earlier solution, which says how
   large the load is; or NULL */
static void row_at(const doubts *d, const reading_try *r, int joint, const robot_log *log, size_t i, size_t at,
                   const double *x, double *row)
{
  const bristle_bodies *tree = &d->study->robot.tree;
  double q[BRISTLE_ROBOT_JOINTS], v[BRISTLE_ROBOT_JOINTS], a[BRISTLE_ROBOT_JOINTS],
      whole[BRISTLE_BODY_NUMBERS * BRISTLE_ROBOT_JOINTS];
  int from = joint, n = 0;
  for (int k = 0; k < tree->count; k++) {
    const int source = r && r->other >= 0 ? k == r->joint ? r->other : k == r->other ? r->joint : k : k;
    const double sign = r && r->joint == k && r->backwards ? -1 : 1;
    q[k] = sign * log->x[source][i] + (r && r->joint == k ? r->shift : 0);
    v[k] = sign * log->dx[source][i], a[k] = sign * log->ddx[source][i];
    if (k == joint) from = source;
  }
  bristle_bodies_row(tree, q, v, a, joint, whole);
  for (int k = joint; k < tree->count; k++)
    if (is_above(tree, joint, k))
      for (int c = 0; c < BRISTLE_BODY_NUMBERS; c++) row[n++] = whole[BRISTLE_BODY_NUMBERS * k + c];
  const double turned = r && r->joint == joint && r->backwards ? -1 : 1;
  const double sign = turned * d->way[(size_t)from * d->total + at + i];
  double load = 0;
  row[n++] = a[joint];
  for (int c = 0; x && c < n; c++) load += x[c] * row[c];
  row[n++] = v[joint], row[n++] = sign, row[n++] = 1, row[n++] = sign * fabs(load);
  row[n] = turned * log->f[from][i];
}

/* the logarithm of the rms that the torque of a joint leaves; NaN: no memory, or no motion */
static double left_of(const doubts *d, const reading_try *r, int joint)
{
  const robot_data *data = d->study->data;
  const bristle_bodies *tree = &d->study->robot.tree;
  double row[BRISTLE_BODY_NUMBERS * BRISTLE_ROBOT_JOINTS + BESIDE + 1], sum = NAN;
  int columns = BESIDE;
  size_t total = 0;
  for (int k = joint; k < tree->count; k++) columns += BRISTLE_BODY_NUMBERS * is_above(tree, joint, k);
  for (int k = 0; k < data->logs; k++)
    for (size_t i = 0; i < data->log[k].count && !data->log[k].held_out; i++) total += data->log[k].moving[joint][i];
  const size_t stride = total / ROWS + 1, wide = (size_t)columns + 1;
  double *work = malloc(3 * wide * wide * sizeof *work), *x = work ? work + 2 * wide * wide : NULL;
  for (int pass = 0; pass < 2 && work; pass++) {
    size_t used = 0, seen = 0, at = 0;
    gram g;
    if (gram_open(&g, columns)) break;
    for (int k = 0; k < data->logs; at += data->log[k++].count)
      for (size_t i = 0; i < data->log[k].count && !data->log[k].held_out; i++) {
        if (!data->log[k].moving[joint][i] || seen++ % stride) continue;
        row_at(d, r, joint, &data->log[k], i, at, pass ? x : NULL, row);
        gram_add(&g, 0, row);
        used++;
      }
    gram_solve(&g, -1, -1, x, work);
    if (used > 2 * wide) sum = 0.5 * log(gram_left(&g, 0, x) / (double)used + 1e-300);
    gram_close(&g);
  }
  free(work);
  return sum;
}

static void measure(void *context, int joint)
{
  doubts *d = context;
  d->left[joint] = left_of(d, NULL, joint);
}

static void attempt(void *context, int number)
{
  doubts *d = context;
  reading_try *r = &d->tries[number];
  const bristle_bodies *tree = &d->study->robot.tree;
  for (int j = 0; j < tree->count; j++) {
    const int concerned = concerns(tree, j, r->joint) || (r->other >= 0 && concerns(tree, j, r->other));
    const double left = concerned && !isnan(d->left[j]) ? left_of(d, r, j) : (double)NAN;
    if (!isnan(left)) r->gain += d->left[j] - left;
  }
}

static int list_tries(const bristle_robot_study *study, reading_try *tries)
{
  static const double shifts[] = { QUARTER, -QUARTER, 2 * QUARTER };
  const bristle_bodies *tree = &study->robot.tree;
  int count = 0;
  for (int j = 0; j < tree->count; j++) {
    tries[count++] = (reading_try){ .joint = j, .other = -1, .backwards = 1 };
    for (int k = 0; k < 3 && !tree->body[j].prismatic; k++)
      tries[count++] = (reading_try){ .joint = j, .other = -1, .shift = shifts[k] };
    for (int k = 0; k < j && study->data->names_are_doubtful; k++)
      if (tree->body[j].prismatic == tree->body[k].prismatic) tries[count++] = (reading_try){ .joint = j, .other = k };
  }
  return count;
}

static void tell(bristle_robot_study *study, const reading_try *r)
{
  bristle_robot_result *j = &study->joint[r->joint];
  char text[400];
  const double fall = exp(-r->gain);
  if (r->other >= 0)
    snprintf(text, sizeof text,
             "Joints %.40s and %.40s seem to have changed places: with their columns exchanged %.2g of "
             "the error is left.",
             j->name, study->joint[r->other].name, fall);
  else if (r->backwards)
    snprintf(text, sizeof text,
             "Joint %.50s seems to be counted backwards: turned round, %.2g of the error is left. "
             "Option joint %.50s=-COLUMN does that.",
             j->name, fall, j->name);
  else
    snprintf(text, sizeof text,
             "The zero of joint %.50s seems to be elsewhere in the log: moved by %.0f degrees, %.2g of "
             "the error is left.",
             j->name, r->shift * 57.29577951308232, fall);
  memmove(j->say + 1, j->say, sizeof j->say - sizeof *j->say); /* it comes first */
  text_append(j->say[0], sizeof *j->say, 0, "%s", text);
  j->says += j->says < BRISTLE_ROBOT_SAYS;
  j->grade = BRISTLE_GRADE_BAD;
}

/* friction jumps where a joint turns, and the torque shows that behind its filter */
static int find_ways(doubts *d)
{
  const robot_data *data = d->study->data;
  const int joints = d->study->robot.tree.count;
  bristle_fault ignored;
  for (int k = 0; k < data->logs; k++) d->total += data->log[k].count;
  d->way = malloc((d->total * (size_t)joints + 1) * sizeof *d->way);
  for (int j = 0; j < joints && d->way; j++) {
    double *way = d->way + (size_t)j * d->total;
    for (int k = 0; k < data->logs; way += data->log[k++].count) {
      const double *v = data->log[k].dx[j];
      for (size_t i = 0; i < data->log[k].count; i++) way[i] = v[i] > 0 ? 1 : v[i] < 0 ? -1 : 0;
      if (robot_log_pass(&data->log[k], d->study->cutoff, way, &ignored)) return 1;
    }
  }
  return !d->way;
}

bristle_fault_kind robot_doubt_readings(bristle_robot_study *study, bristle_fault *fault)
{
  const int joints = study->robot.tree.count, most = joints * (joints + 4);
  const int threads = study->request.threads > 0 ? study->request.threads : 2;
  doubts d = { .study = study,
               .tries = calloc((size_t)most, sizeof *d.tries),
               .left = calloc((size_t)joints, sizeof *d.left) };
  const int failed = !d.tries || !d.left || find_ways(&d);
  if (!failed) {
    int best = 0;
    const int count = list_tries(study, d.tries);
    parallel_for(threads, joints, measure, &d);
    parallel_for(threads, count, attempt, &d);
    for (int k = 1; k < count; k++)
      if (d.tries[k].gain > d.tries[best].gain) best = k;
    if (d.tries[best].gain > CLEAR) tell(study, &d.tries[best]);
  }
  free(d.way);
  free(d.tries);
  free(d.left);
  return failed ? fault_memory(fault) : BRISTLE_FAULT_NONE;
}
