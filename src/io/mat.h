/* What is in a MAT-file, whatever its version; not installed. */
#ifndef BRISTLE_IO_MAT_H
#define BRISTLE_IO_MAT_H

#include "io/memory.h"
#include "io/support.h"

enum { MAT_MOST = 1000, MAT_DEEPEST = 4 }; /* variables; structures in structures */

/* kinds of numbers, as version 5 counts them; the last three are letters */
typedef enum mat_type {
  MAT_INT8 = 1,
  MAT_UINT8,
  MAT_INT16,
  MAT_UINT16,
  MAT_INT32,
  MAT_UINT32,
  MAT_SINGLE,
  MAT_DOUBLE = 9,
  MAT_INT64 = 12,
  MAT_UINT64,
  MAT_ELEMENT,
  MAT_PACKED,
  MAT_UTF8,
  MAT_UTF16,
  MAT_UTF32
} mat_type;

typedef enum mat_kind { MAT_OTHER, MAT_NUMBERS, MAT_TEXT, MAT_STRUCTURE, MAT_OBJECT } mat_kind;

typedef struct mat_value {
  mat_kind kind;
  char name[64];
  size_t tall, wide; /* numbers and texts: as many as lie at `data` */
  mat_type type;
  int most_first; /* the order of their bytes */
  const unsigned char *data;
  size_t items, fields; /* a structure */
  struct mat_value *field;
} mat_value;

typedef struct mat_file {
  const char *file;
  bristle_fault *fault;
  size_t count;
  mat_value *value; /* MAT_MOST of them */
  memory *memory;
} mat_file;

/* bytes of one number; 0: it is none */
size_t mat_size(mat_type type);
double mat_number(const mat_value *value, size_t i);
/* up to 63 bytes, to the first NUL; none of them breaks a line of a message */
void mat_name(char name[64], const void *bytes, size_t count);

bristle_fault_kind mat_refuse(const mat_file *file, const char *hint, const char *format, ...);
bristle_fault_kind mat_read_five(mat_file *file, const char *text, size_t size);
bristle_fault_kind mat_read_seven(mat_file *file, const char *text, size_t size);

#endif
