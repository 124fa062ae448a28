/* Logs of MATLAB: variables of a MAT-file (version 5 or 7.3) as columns of a table. */
#include "io/mat.h"

#include "io/csv.h"
#include "maths/elementary.h"

#include <stdint.h>
#include <stdlib.h>

static const char *const heads[] = { "MATLAB 5.0 MAT-file", "MATLAB 7.3 MAT-file" };

static int begins(const char *text, size_t size, const char *head)
{
  return size >= strlen(head) && !memcmp(text, head, strlen(head));
}

int mat_recognise(const char *text, size_t size)
{
  return begins(text, size, heads[0]) || begins(text, size, heads[1]);
}

bristle_fault_kind mat_refuse(const mat_file *file, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(file->fault, BRISTLE_FAULT_VALUE, hint, format, args);
  va_end(args);
  return fault_at(file->fault, file->file, 0, 0);
}

void mat_name(char name[64], const void *bytes, size_t count)
{
  const unsigned char *from = bytes;
  size_t n = 0;
  for (; n < count && n < 63 && from[n]; n++) name[n] = from[n] < ' ' || from[n] == 127 ? '_' : (char)from[n];
  name[n] = '\0';
}

/* ---- numbers ---- */

size_t mat_size(mat_type type)
{
  static const unsigned char size[] = { 0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4 };
  return (size_t)type < sizeof size ? size[type] : 0;
}

double mat_number(const mat_value *v, size_t i)
{
  const size_t size = mat_size(v->type);
  const unsigned char *p = v->data + i * size;
  uint64_t bits = 0;
  for (size_t k = 0; k < size; k++) bits = bits << 8 | p[v->most_first ? k : size - 1 - k];
  const uint32_t low = (uint32_t)bits;
  float single;
  double number;
  switch (v->type) {
  case MAT_INT8:
    return (int8_t)bits;
  case MAT_INT16:
    return (int16_t)bits;
  case MAT_INT32:
    return (int32_t)bits;
  case MAT_INT64:
    return (double)(int64_t)bits;
  case MAT_SINGLE:
    memcpy(&single, &low, sizeof single);
    return (double)single;
  case MAT_DOUBLE:
    memcpy(&number, &bits, sizeof number);
    return number;
  default:
    return (double)bits;
  }
}

/* ---- columns ---- */

/* a column of an array, where it stands */
typedef struct vector {
  char header[80], name[80]; /* "run.signals.F" and "F" */
  const mat_value *of;
  size_t first, rows;
} vector;

typedef struct finding {
  vector *vector;
  int count, objects;
  char object[64]; /* the first that cannot be read */
} finding;

/* a row or a column is one vector, a matrix has one in each column: "q_1", "q_2" */
static void add_array(finding *f, const mat_value *v, const char *header, const char *name)
{
  const size_t tall = v->tall, wide = v->wide;
  const size_t rows = tall == 1 || wide == 1 ? tall * wide : tall, columns = rows ? tall * wide / rows : 0;
  for (size_t c = 0; c < columns && f->count < MAT_MOST; c++) {
    vector *to = &f->vector[f->count++];
    const int several = columns > 1;
    *to = (vector){ .of = v, .first = c * rows, .rows = rows };
    snprintf(to->header, sizeof to->header, several ? "%.58s_%u" : "%.58s", header, (unsigned)c + 1);
    snprintf(to->name, sizeof to->name, several ? "%.58s_%u" : "%.58s", name, (unsigned)c + 1);
  }
}

static void add_variable(finding *f, const mat_value *v, const char *before, const char *name, int depth);

/* Structures, and signals of Simulink with a label: {time, signals: {values, label}} */
static void add_structure(finding *f, const mat_value *v, const char *header, int depth)
{
  for (size_t i = 0; i < v->items && i < MAT_MOST; i++) {
    const mat_value *field = v->field + i * v->fields;
    char label[64] = "", own[80];
    for (size_t k = 0; k < v->fields; k++) {
      if (field[k].kind != MAT_TEXT || strcmp(field[k].name, "label")) continue;
      unsigned char letters[63];
      const size_t count = field[k].wide < sizeof letters ? field[k].wide : sizeof letters;
      for (size_t c = 0; c < count; c++) {
        const double letter = mat_number(&field[k], c);
        letters[c] = letter >= 0 && letter < 256 ? (unsigned char)letter : '?';
      }
      mat_name(label, letters, count);
    }
    if (v->items > 1) snprintf(own, sizeof own, "%.58s_%u", header, (unsigned)i + 1);
    else snprintf(own, sizeof own, "%.60s", header);
    for (size_t k = 0; k < v->fields; k++)
      add_variable(f, &field[k], own, label[0] && !strcmp(field[k].name, "values") ? label : field[k].name, depth + 1);
  }
}

static void add_variable(finding *f, const mat_value *v, const char *before, const char *name, int depth)
{
  char header[80];
  snprintf(header, sizeof header, "%.40s%s%.38s", before, *before ? "." : "", name);
  if (v->kind == MAT_NUMBERS) add_array(f, v, header, name);
  else if (v->kind == MAT_STRUCTURE && depth < MAT_DEEPEST) add_structure(f, v, header, depth);
  else if (v->kind == MAT_OBJECT && !f->objects++) snprintf(f->object, sizeof f->object, "%.60s", header);
}

/* ---- the table ---- */

/* the length that most vectors have, of two or more; the longest of those */
static size_t usual_length(const finding *f)
{
  size_t best = 0;
  int most = 0;
  for (int i = 0; i < f->count; i++) {
    int like = 0;
    for (int k = 0; k < f->count; k++) like += f->vector[k].rows == f->vector[i].rows;
    if (f->vector[i].rows < 2 || like < most || (like == most && f->vector[i].rows <= best)) continue;
    most = like, best = f->vector[i].rows;
  }
  return best;
}

static bristle_fault_kind nothing(const finding *f, const mat_file *file)
{
  if (f->objects)
    return mat_refuse(file, "save its numbers: t = x.Time; y = x.Data; save('log.mat', 't', 'y')",
                      "'%s' is an object of MATLAB, which cannot be read outside of it", f->object);
  return mat_refuse(file, "save vectors of equal length: time, position, force",
                    "found no two vectors of numbers of equal length, expected columns of a log");
}

static bristle_fault_kind fill_column(bristle_column *column, const vector *v, bristle_fault *fault)
{
  const cell name = { v->name, NULL, strlen(v->name), 0, 0 };
  column->scale.numerator = column->scale.denominator = 1;
  header_take(column, &name);
  snprintf(column->header, sizeof column->header, "%s", v->header);
  if (!(column->data = malloc((v->rows + 1) * sizeof *column->data)))
    return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the table");
  const double ten = pow(10, fabs((double)column->scale.decimal));
  for (size_t i = 0; i < v->rows; i++) {
    const double x = mat_number(v->of, v->first + i);
    const double y = unit_apply(&column->scale, column->scale.decimal < 0 ? x / ten : x * ten);
    column->data[i] = isfinite(y) ? y : (double)NAN;
    if (!isfinite(y) && !column->gaps++) column->gap = (bristle_cell){ .line = i + 1 };
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind make_table(const finding *f, const mat_file *file, bristle_table *table)
{
  const size_t rows = usual_length(f);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int i = 0; i < f->count; i++) table->columns += f->vector[i].rows == rows;
  if (table->columns < 2) return table->columns = 0, nothing(f, file);
  table->column = calloc(table->columns, sizeof *table->column);
  if (!table->column) return fault_set(file->fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the table");
  size_t at = 0;
  for (int i = 0; i < f->count && !kind; i++)
    if (f->vector[i].rows == rows) kind = fill_column(&table->column[at++], &f->vector[i], file->fault);
  table->rows = rows, table->separator = ',', table->mark = '.';
  return kind;
}

bristle_fault_kind mat_parse(const char *text, size_t size, bristle_table *table, bristle_fault *fault)
{
  mat_file file = { .file = table->file, .fault = fault };
  finding f = { .vector = calloc(MAT_MOST, sizeof *f.vector) };
  file.value = memory_take(&file.memory, MAT_MOST * sizeof *file.value);
  bristle_fault_kind kind = !f.vector || !file.value       ? fault_memory(fault)
                            : begins(text, size, heads[0]) ? mat_read_five(&file, text, size)
                                                           : mat_read_seven(&file, text, size);
  for (size_t i = 0; i < file.count && !kind; i++) add_variable(&f, &file.value[i], "", file.value[i].name, 0);
  if (!kind) kind = make_table(&f, &file, table);
  memory_free(file.memory);
  free(f.vector);
  return kind;
}
