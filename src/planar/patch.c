/* Building patches: cells, their shares of the load, and what follows from the distribution. */
#include "planar/couple.h"

static const char *const name = "patch";

static size_t states_of(const bristle_contact *contact) { return (size_t)contact->vector->f64[0]->info->nstate; }

size_t bristle_patch_memory(const bristle_contact *contact, size_t cells)
{
  /* x, y, share; states and their trial; velocities and forces */
  return cells * (3 + 2 * states_of(contact) + 4);
}

void bristle_patch_place(bristle_patch *patch, const bristle_contact *contact, double *memory, size_t cells)
{
  size_t states = states_of(contact) * cells;
  bristle_patch empty = { .contact = *contact, .capacity = cells };
  *patch = empty;
  patch->x = memory;
  patch->y = patch->x + cells;
  patch->share = patch->y + cells;
  patch->s = patch->share + cells;
  patch->trial = patch->s + states;
  patch->v = patch->trial + states;
  patch->f = patch->v + 2 * cells;
}

/* ---- the distribution ---- */

/* Shares, centre of pressure, arm and gyration radius from the loads in patch->share. */
static bristle_status distribute(bristle_patch *patch, bristle_error *error)
{
  double sum = 0, x = 0, y = 0, arm = 0, square = 0;
  for (size_t i = 0; i < patch->count; i++) sum += patch->share[i];
  if (!(sum > 0) || !is_finite(sum)) {
    patch->count = 0;
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "load",
                       "some cell must carry load, and their sum be finite", -1, sum);
  }
  for (size_t i = 0; i < patch->count; i++) {
    double part = patch->share[i] /= sum;
    x += part * patch->x[i];
    y += part * patch->y[i];
  }
  for (size_t i = 0; i < patch->count; i++) {
    double dx = patch->x[i] - x, dy = patch->y[i] - y, r2 = dx * dx + dy * dy;
    arm += patch->share[i] * sqrt_f64(r2);
    square += patch->share[i] * r2;
  }
  patch->cop[0] = x;
  patch->cop[1] = y;
  patch->arm = arm;
  patch->gyration = sqrt_f64(square);
  return BRISTLE_STATUS_OK;
}

static bristle_status check_load(double load, size_t index, bristle_error *error)
{
  if (!is_finite(load)) return planar_fail(error, BRISTLE_STATUS_NOT_FINITE, name, "load", NULL, (long)index, load);
  if (load < 0)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "load", "a cell's load must not be negative",
                       (long)index, load);
  return BRISTLE_STATUS_OK;
}

bristle_status bristle_patch_load(bristle_patch *patch, const double *load, bristle_error *error)
{
  double sum = 0;
  for (size_t i = 0; i < patch->count; i++) {
    bristle_status status = check_load(load[i], i, error);
    if (status) return status;
    sum += load[i];
  }
  if (!(sum > 0) || !is_finite(sum))
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "load",
                       "some cell must carry load, and their sum be finite", -1, sum);
  for (size_t i = 0; i < patch->count; i++) patch->share[i] = load[i];
  return distribute(patch, error);
}

/* ---- cells ---- */

static bristle_status add_cell(bristle_patch *patch, double x, double y, double load, bristle_error *error)
{
  if (!is_finite(x)) return planar_fail(error, BRISTLE_STATUS_NOT_FINITE, name, "x", NULL, (long)patch->count, x);
  if (!is_finite(y)) return planar_fail(error, BRISTLE_STATUS_NOT_FINITE, name, "y", NULL, (long)patch->count, y);
  if (!is_finite(load))
    return planar_fail(error, BRISTLE_STATUS_NOT_FINITE, name, "load", NULL, (long)patch->count, load);
  if (!(load > 0)) return BRISTLE_STATUS_OK;
  patch->x[patch->count] = x;
  patch->y[patch->count] = y;
  patch->share[patch->count++] = load;
  return BRISTLE_STATUS_OK;
}

/* all cells are in: share out the load and set the bristles upright */
static bristle_status finish(bristle_patch *patch, bristle_status status, bristle_error *error)
{
  if (!status) status = distribute(patch, error);
  if (status) patch->count = 0;
  for (size_t i = 0; i < patch->count * states_of(&patch->contact); i++) patch->s[i] = 0;
  return status;
}

static bristle_status check_grid(bristle_patch *patch, int a, const char *name_a, int b, const char *name_b,
                                 int least_b, bristle_error *error)
{
  patch->count = 0;
  if (a < 1) return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, name_a, "must be at least 1", -1, a);
  if (b < least_b)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, name_b,
                       least_b == 1 ? "must be at least 1" : "must be at least 3", -1, b);
  if ((size_t)a > patch->capacity / (size_t)b)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, name_a,
                       "the patch's memory has no room for so many cells", -1, a);
  return BRISTLE_STATUS_OK;
}

bristle_status bristle_patch_rectangle(bristle_patch *patch, int nx, int ny, double length_x, double length_y,
                                       bristle_pressure *pressure, void *context, bristle_error *error)
{
  bristle_status status = check_grid(patch, nx, "nx", ny, "ny", 1, error);
  const planar_bound lengths[] = { { "length_x", length_x, 1e-12, 1e6 }, { "length_y", length_y, 1e-12, 1e6 } };
  if (!status) status = planar_check_bounds(name, lengths, 2, error);
  for (int j = 0; j < ny && !status; j++)
    for (int i = 0; i < nx && !status; i++) {
      /* whole numbers first, so that opposite cells are exact mirror images */
      double x = length_x * (double)(2 * i + 1 - nx) / (2 * nx), y = length_y * (double)(2 * j + 1 - ny) / (2 * ny);
      status = add_cell(patch, x, y, pressure ? pressure(x, y, context) : 1, error);
    }
  return finish(patch, status, error);
}

/* (cos, sin) of the angle k/n of a full turn, 0 <= k < n, from sin(pi t/2) on one quadrant */
static void turn(int k, int n, double direction[2])
{
  int quadrant = (int)(4L * k / n);
  double t = (double)(4L * k - (long)quadrant * n) / n, c = sinq_f64(1 - t), s = sinq_f64(t);
  direction[0] = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
  direction[1] = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
}

bristle_status bristle_patch_ring(bristle_patch *patch, int rings, int sectors, double inner, double outer,
                                  bristle_pressure *pressure, void *context, bristle_error *error)
{
  bristle_status status = check_grid(patch, rings, "rings", sectors, "sectors", 3, error);
  const planar_bound radii[] = { { "inner", inner, 0, 1e6 }, { "outer", outer, 1e-12, 1e6 } };
  if (!status) status = planar_check_bounds(name, radii, 2, error);
  if (!status && !(inner < outer))
    status = planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "inner", "inner must be below outer", -1, inner);
  for (int i = 0; i < rings && !status; i++) {
    double a = inner + (outer - inner) * i / rings, b = inner + (outer - inner) * (i + 1) / rings;
    /* a cell lies at the mean radius of its ring: under uniform pressure the spin torque has no error */
    double area = (b - a) * (b + a), radius = 2 * (b * b + b * a + a * a) / (3 * (b + a));
    for (int j = 0; j < sectors && !status; j++) {
      double direction[2];
      turn(j, sectors, direction);
      double x = radius * direction[0], y = radius * direction[1];
      status = add_cell(patch, x, y, area * (pressure ? pressure(x, y, context) : 1), error);
    }
  }
  return finish(patch, status, error);
}

bristle_status bristle_patch_cells(bristle_patch *patch, size_t count, const double *x, const double *y,
                                   const double *load, bristle_error *error)
{
  bristle_status status = BRISTLE_STATUS_OK;
  patch->count = 0;
  if (count < 1 || count > patch->capacity)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "count",
                       "must be at least 1 and fit into the patch's memory", -1, (double)count);
  for (size_t i = 0; i < count && !status; i++) {
    status = check_load(load[i], i, error);
    if (!status) status = add_cell(patch, x[i], y[i], load[i], error);
  }
  return finish(patch, status, error);
}

bristle_status bristle_patch_check(const bristle_patch *patch, bristle_error *error)
{
  const bristle_contact *contact = &patch->contact;
  bristle_status status = bristle_vector_check(contact->vector->f64[0], contact->p, error);
  if (status) return status;
  if (contact->load != BRISTLE_LOAD_COEFFICIENT)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "load", "the law of a patch is per unit load", -1,
                       contact->load);
  if (patch->count < 1)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "count", "the patch has no cells", -1, 0);
  double sum = 0;
  for (size_t i = 0; i < patch->count; i++) {
    const planar_bound cell[] = { { "x", patch->x[i], -PLANAR_LARGEST, PLANAR_LARGEST },
                                  { "y", patch->y[i], -PLANAR_LARGEST, PLANAR_LARGEST },
                                  { "share", patch->share[i], 0, 1 } };
    status = planar_check_bounds(name, cell, 3, error);
    if (status && error) error->index = (int)i;
    if (status) return status;
    sum += patch->share[i];
  }
  if (abs_f64(sum - 1) > 1e-9)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "share", "the shares must sum to 1", -1, sum);
  for (size_t i = 0; i < patch->count * states_of(&patch->contact); i++)
    if (!is_finite(patch->s[i]))
      return planar_fail(error, BRISTLE_STATUS_NOT_FINITE, name, "s", NULL, (long)i, patch->s[i]);
  return BRISTLE_STATUS_OK;
}
