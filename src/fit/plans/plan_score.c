/* What a motion tells about the parameters: sums of products of derivatives, and their inverse. */
#include "lab/plan.h"

#include "io/support.h"
#include "maths/elementary.h"

#include <stdlib.h>

void bristle_plan_wanted(const bristle_contact *contact, int *wanted)
{
  const bristle_info *info = contact->law->f64->info;
  for (int i = 0; i < info->param_rows; i++)
    for (int k = 0; k < info->param[i].count; k++) {
      const bristle_row *row = &info->param[i];
      const double value = contact->p[row->first + k];
      wanted[row->first + k] = row->kind == BRISTLE_ROW_LOG && value > row->lo && value < row->hi;
    }
}

static int places_of(const bristle_contact *contact, const int *wanted, int place[BRISTLE_LAW_SIZE])
{
  const int nparam = contact->law->f64->info->nparam;
  int usual[BRISTLE_LAW_SIZE] = { 0 }, count = 0;
  if (!wanted) bristle_plan_wanted(contact, usual);
  for (int j = 0; j < nparam; j++)
    if (wanted ? wanted[j] : usual[j]) place[count++] = j;
  return count;
}

bristle_fault_kind bristle_plan_inform(const bristle_contact *contact, const int *wanted,
                                       const bristle_plan_motion *motion, double noise,
                                       bristle_information *information, bristle_fault *fault)
{
  const bristle_law *law = contact->law;
  const bristle_info *info = law->f64->info;
  int place[BRISTLE_LAW_SIZE];
  double df[BRISTLE_LAW_SIZE], row[BRISTLE_PLAN_SIDE], state[BRISTLE_LAW_SIZE] = { 0 };
  const int count = places_of(contact, wanted, place), side = count + 1;
  if (!law->diff)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "build with BRISTLE_DERIVATIVES", "the law has no derivatives here");
  if (!(noise > 0))
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the noise is %g, expected a positive force", noise);
  const size_t sensitivities = (size_t)info->nstate * (size_t)info->nparam;
  double *ds = calloc(sensitivities + 1, sizeof *ds);
  if (!ds) return fault_memory(fault);
  information->side = side;
  for (size_t i = 0; i < motion->count; i++) {
    if (motion->fresh && motion->fresh[i]) {
      memset(state, 0, sizeof state);
      memset(ds, 0, sensitivities * sizeof *ds);
    }
    const bristle_input in = {
      .v = motion->v[i], .x = motion->x[i], .n = motion->n ? motion->n[i] : 1, .h = motion->h[i], .load = contact->load
    };
    law->diff->sensitivity(contact->p, state, &in, NULL, df, ds);
    if (motion->counts && !motion->counts[i]) continue;
    for (int k = 0; k < count; k++) row[k] = df[place[k]] * contact->p[place[k]] / noise;
    row[count] = 1 / noise;
    for (int a = 0; a < side; a++)
      for (int b = 0; b <= a; b++) information->matrix[a * side + b] += row[a] * row[b];
  }
  free(ds);
  for (int a = 0; a < side; a++)
    for (int b = 0; b < a; b++) information->matrix[b * side + a] = information->matrix[a * side + b];
  for (int a = 0; a < side * side; a++)
    if (!isfinite(information->matrix[a]))
      return fault_set(fault, BRISTLE_FAULT_VALUE, "check the parameters and the motion",
                       "the derivatives are not finite along this motion");
  return BRISTLE_FAULT_NONE;
}

/* Cholesky of the matrix with its diagonal scaled to 1; columns that depend on those before them have no pivot left and
   are marked. */
static void factor(int side, const double *matrix, double *scale, double *lower, int *lost)
{
  static const double DEPENDENT = 1e-10;
  for (int a = 0; a < side; a++) {
    const double diagonal = matrix[a * side + a];
    scale[a] = diagonal > 0 ? 1 / sqrt(diagonal) : 0;
  }
  for (int a = 0; a < side; a++) {
    for (int b = 0; b <= a; b++) {
      double sum = a == b && scale[a] > 0 ? 1 : matrix[a * side + b] * scale[a] * scale[b];
      for (int k = 0; k < b; k++) sum -= lower[a * side + k] * lower[b * side + k];
      if (b < a) lower[a * side + b] = lost[b] ? 0 : sum / lower[b * side + b];
      else {
        lost[a] = !(sum > DEPENDENT);
        lower[a * side + a] = lost[a] ? 1 : sqrt(sum);
      }
    }
  }
}

void bristle_plan_deviations(const bristle_information *information, double *deviation, double *alone)
{
  const int side = information->side;
  double scale[BRISTLE_PLAN_SIDE], lower[BRISTLE_PLAN_SIDE * BRISTLE_PLAN_SIDE] = { 0 };
  double moved[BRISTLE_PLAN_SIDE * BRISTLE_PLAN_SIDE];
  int lost[BRISTLE_PLAN_SIDE];
  for (int which = 0; which + 1 < side; which++) {
    /* the unknown goes last: whatever can stand in for it then comes before */
    for (int a = 0; a < side; a++)
      for (int b = 0; b < side; b++) {
        const int row = a == side - 1 ? which : a < which ? a : a + 1;
        const int column = b == side - 1 ? which : b < which ? b : b + 1;
        moved[a * side + b] = information->matrix[row * side + column];
      }
    factor(side, moved, scale, lower, lost);
    const int last = side - 1, known = scale[last] > 0 && !lost[last];
    deviation[which] = known ? scale[last] / lower[last * side + last] : HUGE_VAL;
    if (alone) alone[which] = scale[last] > 0 ? scale[last] : HUGE_VAL;
  }
}
