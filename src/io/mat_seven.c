/* MAT-files of version 7.3 are HDF5, which libmatio reads. It is loaded when such a file comes, so that nothing else
 * needs it. */
#include "io/mat.h"

#include "platform/platform.h"

#include <stdlib.h>

#ifndef BRISTLE_WITH_MATIO
bristle_fault_kind mat_read_seven(mat_file *file, const char *text, size_t size)
{
  (void)text, (void)size;
  return mat_refuse(file, "save it with -v7, or install libmatio-dev and build again, or write its columns as CSV",
                    "this is a MAT-file of version 7.3, and this build cannot read them, because libmatio was missing");
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

static bristle_fault_kind keep(mat_file *file, const matio *m, const matvar_t *from, mat_value *v, int depth);

static bristle_fault_kind keep_array(mat_file *file, const matvar_t *from, mat_value *v, mat_type type, mat_kind wanted)
{
  const size_t count = from->dims[0] * from->dims[1], each = mat_size(type), one = 1;
  if (from->nbytes / each < count) return BRISTLE_FAULT_NONE;
  unsigned char *copy = memory_take(&file->memory, count * each + 1);
  if (!copy) return fault_memory(file->fault);
  memcpy(copy, from->data, count * each);
  v->kind = wanted, v->type = type, v->data = copy, v->most_first = !*(const unsigned char *)&one;
  v->tall = from->dims[0], v->wide = from->dims[1];
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind keep_structure(mat_file *file, const matio *m, const matvar_t *from, mat_value *v, int depth)
{
  char *const *names = m->names(from);
  size_t items = 1;
  for (int d = 0; d < from->rank; d++) items *= from->dims[d];
  v->fields = m->fields((matvar_t *)from), v->items = items < MAT_MOST ? items : MAT_MOST;
  v->field = memory_take(&file->memory, v->items * v->fields * sizeof *v->field);
  if (!v->field) return fault_memory(file->fault);
  v->kind = MAT_STRUCTURE;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (size_t i = 0; i < v->items * v->fields && !kind; i++) {
    const matvar_t *field = ((matvar_t **)from->data)[i];
    if (field) kind = keep(file, m, field, &v->field[i], depth + 1);
    mat_name(v->field[i].name, names[i % v->fields], strlen(names[i % v->fields]));
  }
  return kind;
}

static bristle_fault_kind keep(mat_file *file, const matio *m, const matvar_t *from, mat_value *v, int depth)
{
  static const mat_type stored[] = { MAT_DOUBLE, MAT_SINGLE, MAT_INT8,   MAT_UINT8, MAT_INT16,
                                     MAT_UINT16, MAT_INT32,  MAT_UINT32, MAT_INT64, MAT_UINT64 };
  const int class = (int)from->class_type;
  if (class == MAT_C_OPAQUE || class == MAT_C_OBJECT) v->kind = MAT_OBJECT;
  if (!from->data || v->kind == MAT_OBJECT) return BRISTLE_FAULT_NONE;
  if (class == MAT_C_STRUCT && depth < MAT_DEEPEST) return keep_structure(file, m, from, v, depth);
  if (from->rank != 2 || from->isComplex) return BRISTLE_FAULT_NONE;
  if (class == MAT_C_CHAR)
    return keep_array(file, from, v,
                      from->data_size == 1   ? MAT_UTF8
                      : from->data_size == 2 ? MAT_UTF16
                                             : MAT_UTF32,
                      MAT_TEXT);
  if (class < MAT_C_DOUBLE || class > MAT_C_UINT64) return BRISTLE_FAULT_NONE;
  return keep_array(file, from, v, stored[class - MAT_C_DOUBLE], MAT_NUMBERS);
}

static bristle_fault_kind read_variables(mat_file *file, const matio *m, mat_t *from)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  matvar_t *variable;
  while (!kind && file->count < MAT_MOST && (variable = m->next(from))) {
    mat_value *v = &file->value[file->count++];
    kind = keep(file, m, variable, v, 0);
    if (variable->name) mat_name(v->name, variable->name, strlen(variable->name));
    m->free(variable);
  }
  return kind;
}

/* The library wants a name: bytes that came from anywhere get one until it has opened them, or where an open file keeps
   its name until they are read. */
bristle_fault_kind mat_read_seven(mat_file *file, const char *text, size_t size)
{
  matio m;
  char path[300];
  if (load(&m))
    return mat_refuse(file,
                      "save it with -v7, or install libmatio (" BRISTLE_WITH_MATIO "), or write its columns as CSV",
                      "this is a MAT-file of version 7.3, and the library that reads them is not installed");
  char *folder = platform_temporary_folder();
  snprintf(path, sizeof path, "%.280s/log.mat", folder ? folder : "");
  FILE *copy = folder ? platform_open(path, "wb") : NULL;
  int is_whole = copy && fwrite(text, 1, size, copy) == size;
  if (copy && fclose(copy)) is_whole = 0;
  mat_t *from = is_whole ? m.open(path, MAT_ACC_RDONLY) : NULL;
  const int removed = folder && !platform_remove(path) && !platform_remove_folder(folder);
  const bristle_fault_kind kind = from ? read_variables(file, &m, from)
                                  : is_whole
                                      ? mat_refuse(file,
                                                   "was it copied whole? export it again, or write its columns as CSV",
                                                   "this MAT-file is damaged: libmatio cannot open it")
                                      : mat_refuse(file, "is the disk for temporary files full?",
                                                   "a MAT-file could not be unpacked");
  if (from) m.close(from);
  if (folder && !removed) platform_remove(path), platform_remove_folder(folder);
  free(folder);
  return kind;
}
#endif
