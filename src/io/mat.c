/* Logs of MATLAB: variables of a MAT-file (version 5 or 7.3) as columns of a table. libmatio is loaded when such a file
   comes, so that nothing else needs it. */
#include "io/csv.h"

#include "maths/elementary.h"
#include "platform/platform.h"

#include <stdlib.h>

int mat_recognise(const char *text, size_t size)
{
  static const char *const heads[] = { "MATLAB 5.0 MAT-file", "MATLAB 7.3 MAT-file" };
  for (int i = 0; i < 2; i++)
    if (size >= 128 && !memcmp(text, heads[i], strlen(heads[i]))) return 1;
  return 0;
}

static bristle_fault_kind refuse(const char *file, bristle_fault *fault, const char *hint, const char *what)
{
  fault_set(fault, BRISTLE_FAULT_VALUE, hint, "%s", what);
  return fault_at(fault, file, 0, 0);
}

#ifndef BRISTLE_WITH_MATIO
bristle_fault_kind mat_parse(const char *text, size_t size, bristle_table *table, bristle_fault *fault)
{
  (void)text, (void)size;
  return refuse(table->file, fault,
                "install libmatio-dev and build again, or write its columns as CSV (in Python: scipy.io.loadmat)",
                "this is a MAT-file, and this build cannot read them, because libmatio was missing");
}
#else

#include <matio.h>

typedef struct matio {
  mat_t *(*open)(const char *, int);
  int (*close)(mat_t *);
  matvar_t *(*next)(mat_t *);
  void (*free)(matvar_t *);
  unsigned (*fields)(matvar_t *);
  char *const *(*names)(const matvar_t *);
} matio;

static int load(matio *m)
{
  void *library = platform_library(BRISTLE_WITH_MATIO, 0, NULL, 0);
  if (!library) return 1;
  *(void **)&m->open = platform_function(library, "Mat_Open");
  *(void **)&m->close = platform_function(library, "Mat_Close");
  *(void **)&m->next = platform_function(library, "Mat_VarReadNext");
  *(void **)&m->free = platform_function(library, "Mat_VarFree");
  *(void **)&m->fields = platform_function(library, "Mat_VarGetNumberOfFields");
  *(void **)&m->names = platform_function(library, "Mat_VarGetStructFieldnames");
  int (*be_quiet)(long, void *,
                  void *); /* HDF5 tells the standard error what is wrong with a file; we tell ourselves */
  *(void **)&be_quiet = platform_function(library, "H5Eset_auto2");
  if (be_quiet) be_quiet(0, NULL, NULL);
  return !m->open || !m->close || !m->next || !m->free || !m->fields || !m->names; /* it stays loaded */
}

/* ---- what is in the file ---- */

enum { MOST = 1000, DEEPEST = 4 };

/* a column of an array, where it stands */
typedef struct vector {
  char header[80], name[80]; /* "run.signals.F" and "F" */
  const matvar_t *of;
  size_t first, rows;
} vector;

typedef struct finding {
  const matio *library;
  vector *vector;
  int count, objects;
  char object[64]; /* the first that cannot be read */
} finding;

static double number_at(const matvar_t *v, size_t i)
{
  switch (v->class_type) {
  case MAT_C_DOUBLE:
    return ((const double *)v->data)[i];
  case MAT_C_SINGLE:
    return (double)((const float *)v->data)[i];
  case MAT_C_INT8:
    return ((const mat_int8_t *)v->data)[i];
  case MAT_C_UINT8:
    return ((const mat_uint8_t *)v->data)[i];
  case MAT_C_INT16:
    return ((const mat_int16_t *)v->data)[i];
  case MAT_C_UINT16:
    return ((const mat_uint16_t *)v->data)[i];
  case MAT_C_INT32:
    return ((const mat_int32_t *)v->data)[i];
  case MAT_C_UINT32:
    return ((const mat_uint32_t *)v->data)[i];
  case MAT_C_INT64:
    return (double)((const mat_int64_t *)v->data)[i];
  case MAT_C_UINT64:
    return (double)((const mat_uint64_t *)v->data)[i];
  default:
    return (double)NAN;
  }
}

static int is_numeric(const matvar_t *v)
{
  return v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64 && v->data && !v->isComplex && v->rank == 2
         && v->class_type != MAT_C_SPARSE;
}

/* a row or a column is one vector, a matrix has one in each column: "q_1", "q_2" */
static void add_array(finding *f, const matvar_t *v, const char *header, const char *name)
{
  const size_t tall = v->dims[0], wide = v->dims[1];
  const size_t rows = tall == 1 || wide == 1 ? tall * wide : tall, columns = rows ? tall * wide / rows : 0;
  for (size_t c = 0; c < columns && f->count < MOST; c++) {
    vector *to = &f->vector[f->count++];
    const int several = columns > 1;
    *to = (vector){ .of = v, .first = c * rows, .rows = rows };
    snprintf(to->header, sizeof to->header, several ? "%.58s_%u" : "%.58s", header, (unsigned)c + 1);
    snprintf(to->name, sizeof to->name, several ? "%.58s_%u" : "%.58s", name, (unsigned)c + 1);
  }
}

static void add_variable(finding *f, const matvar_t *v, const char *before, const char *name, int depth);

/* Structures, and signals of Simulink with a label: {time, signals: {values, label}} */
static void add_structure(finding *f, const matvar_t *v, const char *header, int depth)
{
  const unsigned fields = f->library->fields((matvar_t *)v);
  char *const *names = f->library->names(v);
  size_t items = 1;
  for (int d = 0; d < v->rank; d++) items *= v->dims[d];
  for (size_t i = 0; i < items && i < MOST; i++) {
    char label[64] = "", own[80];
    for (unsigned k = 0; k < fields; k++) {
      const matvar_t *field = ((matvar_t **)v->data)[i * fields + k];
      if (!field || strcmp(names[k], "label") || field->class_type != MAT_C_CHAR || !field->data) continue;
      const size_t length = field->nbytes / (size_t)(field->data_size > 0 ? field->data_size : 1);
      for (size_t c = 0; c < length && c < sizeof label - 1; c++)
        label[c] = ((const char *)field->data)[c * (size_t)field->data_size], label[c + 1] = '\0';
    }
    if (items > 1) snprintf(own, sizeof own, "%.58s_%u", header, (unsigned)i + 1);
    else snprintf(own, sizeof own, "%.60s", header);
    for (unsigned k = 0; k < fields; k++) {
      const matvar_t *field = ((matvar_t **)v->data)[i * fields + k];
      const int labelled = label[0] && !strcmp(names[k], "values");
      if (field) add_variable(f, field, own, labelled ? label : names[k], depth + 1);
    }
  }
}

static void add_variable(finding *f, const matvar_t *v, const char *before, const char *name, int depth)
{
  char header[80];
  snprintf(header, sizeof header, "%.40s%s%.38s", before, *before ? "." : "", name);
  if (is_numeric(v)) add_array(f, v, header, name);
  else if (v->class_type == MAT_C_STRUCT && v->data && depth < DEEPEST) add_structure(f, v, header, depth);
  else if ((v->class_type == MAT_C_OPAQUE || v->class_type == MAT_C_OBJECT) && !f->objects++)
    snprintf(f->object, sizeof f->object, "%.60s", header);
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

static bristle_fault_kind nothing(const finding *f, const bristle_table *table, bristle_fault *fault)
{
  char what[200];
  if (f->objects) {
    snprintf(what, sizeof what, "'%s' is an object of MATLAB, which cannot be read outside of it", f->object);
    return refuse(table->file, fault, "save its numbers: t = x.Time; y = x.Data; save('log.mat', 't', 'y')", what);
  }
  return refuse(table->file, fault, "save vectors of equal length: time, position, force",
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
    const double x = number_at(v->of, v->first + i);
    const double y = unit_apply(&column->scale, column->scale.decimal < 0 ? x / ten : x * ten);
    column->data[i] = isfinite(y) ? y : (double)NAN;
    if (!isfinite(y) && !column->gaps++) column->gap = (bristle_cell){ .line = i + 1 };
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind make_table(const finding *f, bristle_table *table, bristle_fault *fault)
{
  const size_t rows = usual_length(f);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int i = 0; i < f->count; i++) table->columns += f->vector[i].rows == rows;
  if (table->columns < 2) return table->columns = 0, nothing(f, table, fault);
  table->column = calloc(table->columns, sizeof *table->column);
  if (!table->column) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the table");
  size_t at = 0;
  for (int i = 0; i < f->count && !kind; i++)
    if (f->vector[i].rows == rows) kind = fill_column(&table->column[at++], &f->vector[i], fault);
  table->rows = rows, table->separator = ',', table->mark = '.';
  return kind;
}

static bristle_fault_kind read_variables(const matio *m, mat_t *file, bristle_table *table, bristle_fault *fault)
{
  matvar_t *variable[MOST];
  int count = 0;
  finding f = { .library = m, .vector = calloc(MOST, sizeof *f.vector) };
  if (!f.vector) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the table");
  while (count < MOST && (variable[count] = m->next(file))) {
    const char *name = variable[count]->name ? variable[count]->name : "";
    add_variable(&f, variable[count++], "", name, 0);
  }
  const bristle_fault_kind kind = make_table(&f, table, fault);
  for (int i = 0; i < count; i++) m->free(variable[i]);
  free(f.vector);
  return kind;
}

static bristle_fault_kind parse_copy(const matio *m, const char *path, bristle_table *table, bristle_fault *fault)
{
  mat_t *file = m->open(path, MAT_ACC_RDONLY);
  const bristle_fault_kind kind = file ? read_variables(m, file, table, fault)
                                       : refuse(table->file, fault, "was it copied whole?",
                                                "this MAT-file is damaged: libmatio cannot open it");
  if (file) m->close(file);
  return kind;
}

/* The library wants a name: bytes that came from anywhere get one while they are read. */
bristle_fault_kind mat_parse(const char *text, size_t size, bristle_table *table, bristle_fault *fault)
{
  matio m;
  char path[300];
  if (load(&m))
    return refuse(table->file, fault,
                  "install libmatio (" BRISTLE_WITH_MATIO
                  "), or write its columns as CSV (in Python: scipy.io.loadmat)",
                  "this is a MAT-file, and the library that reads them is not installed");
  char *folder = platform_temporary_folder();
  snprintf(path, sizeof path, "%.280s/log.mat", folder ? folder : "");
  FILE *copy = folder ? platform_open(path, "wb") : NULL;
  int whole = copy && fwrite(text, 1, size, copy) == size;
  if (copy && fclose(copy)) whole = 0;
  const bristle_fault_kind kind = whole ? parse_copy(&m, path, table, fault)
                                        : refuse(table->file, fault, "is the disk for temporary files full?",
                                                 "a MAT-file could not be unpacked");
  if (folder) platform_remove(path), platform_remove_folder(folder);
  free(folder);
  return kind;
}
#endif
