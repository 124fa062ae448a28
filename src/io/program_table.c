/* Programs from the columns of a table, and paths from speeds. */
#include "io/recognise.h"
#include "io/scenario_inside.h"
#include "maths/elementary.h"

static int has_names(const bristle_table *table) { return table->column[0].header[0] != '\0'; }

static const bristle_column *read_column(reader *r, const bristle_node *node, const bristle_table *table,
                                         const char *names, unit_pair unit, int flags)
{
  char wanted[100];
  const bristle_column *column = NULL;
  const bristle_wanted what = { names, reader_units(r, unit, wanted), flags };
  if (r->kind) return NULL;
  r->kind = bristle_table_pick(table, &what, &column, r->fault);
  int which = -1, has_unit = column && column->origin != BRISTLE_UNIT_ORIGIN_NONE;
  if (has_unit && strchr(wanted, '|') && !unit_fits(&column->scale, column->unit, wanted, &which, NULL))
    reader_decide(r, node, unit, which);
  return column;
}

/* "#3" for the column that plays this part; NULL when there is none */
static const char *recognised(const bristle_table *table, int role, char text[24])
{
  size_t place = column_by_name(table, &column_roles[role], NULL);
  if (place == table->columns && role != ROLE_VELOCITY && role != ROLE_LOAD)
    place = column_by_unit(table, &column_roles[role], NULL);
  snprintf(text, 24, "#%zu", place + 1);
  return place < table->columns ? text : NULL;
}

const bristle_column *read_usual_column(reader *r, const bristle_node *node, const bristle_table *table,
                                        const char *names, int role, unit_pair unit, int flags)
{
  char place[24];
  const bristle_column *column = read_column(r, node, table, names, unit, BRISTLE_OPTIONAL);
  if (column || r->kind) return column;
  const char *found = recognised(table, role, place);
  return read_column(r, node, table, found ? found : names, unit, found ? 0 : flags);
}

static const bristle_column *read_time_column(reader *r, const bristle_node *node, const bristle_table *table)
{
  const bristle_column *t = has_names(table)
                                ? read_usual_column(r, node, table, "t|time|seconds", ROLE_TIME, unit_time, 0)
                                : read_column(r, node, table, "#1", unit_time, 0);
  if (!r->kind) r->kind = bristle_table_check_increasing(table, t, r->fault);
  return t;
}

static const bristle_column *value_column(reader *r, const bristle_node *map, const bristle_node *file,
                                          const bristle_table *table, const program_kind *kind, int *order)
{
  const bristle_node *chosen = bristle_node_find(map, "column");
  const char *name = NULL;
  if (chosen) r->kind = bristle_node_text(chosen, &name, r->fault);
  if (r->kind) return NULL;
  if (kind->orders == 1)
    return read_column(r, file, table, name ? name : has_names(table) ? kind->columns[0] : "#2", kind->unit[0], 0);
  if (!has_names(table) && !name) name = "#2";
  if (*order < 0 && !name) { /* velocities, or positions when there are none */
    const bristle_column *column = read_usual_column(r, file, table, kind->columns[1], ROLE_VELOCITY, kind->unit[1],
                                                     BRISTLE_OPTIONAL);
    *order = column || r->kind ? 1 : 0;
    if (!column && !r->kind) {
      column = read_usual_column(r, file, table, kind->columns[0], ROLE_POSITION, kind->unit[0], BRISTLE_OPTIONAL);
      if (!column && !r->kind)
        read_column(r, file, table, kind->columns[1], kind->unit[1], 0); /* says what is missing */
    }
    return column;
  }
  if (*order < 0) *order = 1;
  return read_column(r, file, table, name ? name : kind->columns[*order], kind->unit[*order], 0);
}

/* a column of the log that the run was measured with */
static void read_log_program(reader *r, const bristle_node *map, const program_kind *kind, int *order,
                             bristle_program *out)
{
  const bristle_scenario_log *log = r->log;
  const bristle_column *y = value_column(r, map, map, log->table, kind, order);
  if (r->kind) return;
  *out = (bristle_program){
    .kind = BRISTLE_PROGRAM_KNOTS, .count = log->count, .t = log->t, .y = y->data + log->first
  };
}

void read_column_program(reader *r, const bristle_node *map, const program_kind *kind, int *order, bristle_program *out)
{
  if (r->log && !bristle_node_find(map, "file")) {
    read_log_program(r, map, kind, order, out);
    return;
  }
  const bristle_node *file = reader_need(r, map, "file", "file: data.csv");
  const bristle_table *table = r->kind ? NULL : read_table(r, file);
  if (r->kind) return;
  const bristle_column *t = read_time_column(r, file, table);
  const bristle_column *y = r->kind ? NULL : value_column(r, map, file, table, kind, order);
  if (r->kind) return;
  if (table->rows < 2)
    r->kind = bristle_table_fault(table, t, 0, r->fault, "a program begins and ends",
                                  "found one row, expected two or more");
  *out = (bristle_program){ .kind = BRISTLE_PROGRAM_KNOTS, .count = table->rows, .t = t->data, .y = y->data };
  if (kind->orders == 1) return;
  r->s->motion = table;
  r->s->motion_times = t->data;
}

double reader_horizon(const reader *r)
{
  int exponent = 0;
  frexp(r->s->options.end, &exponent);
  return ldexp(1, exponent < 1000 ? exponent + 1 : exponent);
}

void read_path_of_steps(reader *r, const bristle_node *node, const bristle_program *speed, bristle_program *path)
{
  enum { MOST = 1000000 };
  const double last = reader_horizon(r);
  size_t count = 1, i = 1;
  if (r->kind) return;
  for (double t = 0; t < last && count <= MOST; count++) {
    const bristle_piece piece = bristle_program_piece(speed, t);
    if (speed->kind != BRISTLE_PROGRAM_KNOTS || piece.rate != 0)
      reader_fail(r, node, "give a number, or steps: {values: [...], duration: 1 s}",
                  "found a speed that changes gradually, expected one that is constant between steps");
    if (r->kind) return;
    t = piece.end;
  }
  if (count > MOST) reader_fail(r, node, NULL, "found more than %d steps before the end, expected fewer", MOST);
  double *time = reader_take_numbers(r, 2 * count);
  if (!time) return;
  double *place = time + count;
  for (double t = 0; t < last && i < count; i++) {
    const bristle_piece piece = bristle_program_piece(speed, t);
    time[i] = fmin(piece.end, last);
    place[i] = place[i - 1] + bristle_program_value(speed, &piece, t, NULL) * (time[i] - t);
    t = time[i];
  }
  *path = (bristle_program){ .kind = BRISTLE_PROGRAM_KNOTS, .count = count, .t = time, .y = place };
}
