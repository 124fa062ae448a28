/* Rows of other runs, or of a measurement, drawn over those of this run. */
#include "simulation.h"

#include "platform/platform.h"

#include <string.h>

bristle_fault_kind simulation_read_over(simulation *s, const char *const *paths, bristle_fault *fault)
{
  static const bristle_wanted time = { .names = "t|time", .unit = "s" };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int i = 0; paths[i] && !kind; i++) {
    const bristle_column *t = NULL;
    kind = bristle_table_read(paths[i], &s->over[i], fault);
    if (!kind) kind = bristle_table_pick(s->over[i], &time, &t, fault);
    if (!kind) kind = bristle_table_check_increasing(s->over[i], t, fault);
  }
  return kind;
}

/* values of a column by its name, or NULL */
static const double *values_of(const bristle_table *table, const char *name)
{
  for (size_t i = 0; i < table->columns; i++)
    if (!strcmp(table->column[i].name, name) || (!strcmp(name, "t") && !strcmp(table->column[i].name, "time")))
      return table->column[i].data;
  return NULL;
}

size_t simulation_over_series(const simulation *s, int x, int y, bristle_series *series)
{
  size_t count = 0;
  for (int i = 0; i < SIMULATION_OVER && s->over[i]; i++) {
    const bristle_table *table = s->over[i];
    const double *xs = values_of(table, s->columns[x].name), *ys = values_of(table, s->columns[y].name);
    if (xs && ys)
      series[count++] = (bristle_series){ .name = platform_name(table->file), .count = table->rows, .x = xs, .y = ys };
  }
  return count;
}
