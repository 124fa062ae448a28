/* Where the motion turns inside a step: both ways along a log go through it. */
#include "fit/records/turns.h"

/* Velocities that disagree where nothing has moved are noise, unless the samples around say that it came and went. */
static int has_turned(const bristle_log *log, size_t i)
{
  if (log->slide[i] != 0) return 1;
  return i > 1 && i + 1 < log->count && log->slide[i - 1] * log->v[i - 1] > 0 && log->slide[i + 1] * log->v[i] > 0;
}

walk_turn walk_turn_at(const bristle_log *log, size_t i)
{
  double h = log->t[i] - log->t[i - 1], before = log->v[i - 1], after = log->v[i];
  walk_turn turn = { .h = h, .back = log->slide[i] * h };
  if (before * after >= 0 || !has_turned(log, i)) return turn;
  double there = h * before / (before - after), way = 0.5 * before * there, back = turn.back - way;
  if (there > 1e-6 * h && there < (1 - 1e-6) * h && back * after > 0)
    turn.there = there, turn.way = way, turn.back = back;
  return turn;
}
