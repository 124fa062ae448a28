/* Columns of a run: where they are, and what they are called on a page. */
#include "simulation.h"

#include <string.h>

int simulation_column(const simulation *s, const char *name)
{
  for (int i = 0; i < s->width; i++)
    if (!strcmp(s->columns[i].name, name)) return i;
  return -1;
}

const char *simulation_word(const char *name)
{
  static const char *const words[][2] = {
    { "t", "time" },    { "x", "position" },           { "v", "velocity" },  { "F", "friction force" },
    { "n", "load" },    { "z", "bristle deflection" }, { "c", "integral" },  { "y", "position y" },
    { "slip", "slip" }, { "command", "command" },      { "angle", "angle" }, { "spin", "spin" },
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i][0], name)) return words[i][1];
  return name;
}

bristle_plot_axis simulation_axis(const simulation *s, int column)
{
  const char *unit = s->columns[column].unit;
  return (bristle_plot_axis){ simulation_word(s->columns[column].name), strcmp(unit, "1") ? unit : NULL, 0 };
}

double simulation_program_at(const bristle_program *p, double t)
{
  const bristle_piece piece = bristle_program_piece(p, t);
  return bristle_program_value(p, &piece, t, NULL);
}
