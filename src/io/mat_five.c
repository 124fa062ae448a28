/* MAT-files of version 5 (since MATLAB 5, packed by zlib since 7). Elements lie in elements, each with its size: every
   size is held against what is around it, so that a file that was cut is refused, and none takes more memory than its
   bytes can mean. */
#include "io/inflate.h"
#include "io/mat.h"

#include <stdint.h>

enum { HEAD = 128, TAG = 8 };
enum { CLASS_STRUCTURE = 2, CLASS_OBJECT, CLASS_TEXT, CLASS_NUMBERS = 6, CLASS_LAST_NUMBERS = 15, CLASS_OPAQUE = 17 };

static const char AGAIN[] = "copy or export it again, or write its columns as CSV";

/* bytes that are read from their beginning, and where they are in the file */
typedef struct part {
  const unsigned char *p, *end;
  size_t at;
  int is_packed; /* `at` is that of the element that was unpacked */
} part;

typedef struct five {
  mat_file *file;
  int most_first;
} five;

static uint32_t whole(const five *f, const unsigned char *p)
{
  uint32_t number = 0;
  for (int i = 0; i < 4; i++) number = number << 8 | p[f->most_first ? i : 3 - i];
  return number;
}

static part contents(const part *in, const unsigned char *from, size_t size)
{
  return (part){ from, from + size, in->is_packed ? in->at : in->at + (size_t)(from - in->p), in->is_packed };
}

/* The next element of `in`, which goes on behind it. */
static bristle_fault_kind next_element(five *f, part *in, mat_type *type, part *element)
{
  const size_t left = (size_t)(in->end - in->p);
  const char *where = in->is_packed ? "inside the packed variable at byte" : "at byte";
  if (left < TAG)
    return mat_refuse(f->file, AGAIN,
                      "this MAT-file is cut or damaged: %s %zu an element of 8 bytes or more is missing, found %zu",
                      where, in->at, left);
  uint32_t kind = whole(f, in->p), size = whole(f, in->p + 4);
  const int is_small = kind >> 16 != 0; /* up to 4 bytes lie in the tag */
  if (is_small) size = kind >> 16, kind &= 0xffff;
  const size_t head = is_small ? 4 : TAG;
  if (size > left - head || (is_small && size > 4))
    return mat_refuse(f->file, AGAIN, "this MAT-file is cut or damaged: %s %zu an element claims %lu bytes, found %zu",
                      where, in->at, (unsigned long)size, is_small ? 4 : left - head);
  *type = (mat_type)kind;
  *element = contents(in, in->p + head, size);
  size_t used = is_small ? TAG : head + size;
  if (*type != MAT_PACKED) used = (used + 7) / 8 * 8;
  *in = contents(in, in->p + (used < left ? used : left), left - (used < left ? used : left));
  return BRISTLE_FAULT_NONE;
}

/* the next element, which must be of this type, or of another with numbers as wide */
static bristle_fault_kind expect(five *f, part *in, mat_type wanted, const char *what, part *element)
{
  const size_t at = in->at;
  mat_type type = MAT_ELEMENT;
  const bristle_fault_kind kind = next_element(f, in, &type, element);
  if (kind || type == wanted || (mat_size(wanted) && mat_size(type) == mat_size(wanted))) return kind;
  return mat_refuse(f->file, AGAIN,
                    "this MAT-file is damaged: at byte %zu %s was expected, found an element of type %u", at, what,
                    (unsigned)type);
}

/* ---- arrays ---- */

/* how many of them the sizes claim; SIZE_MAX: more than any file holds */
static size_t product(const five *f, const part *sizes)
{
  size_t count = 1;
  for (const unsigned char *p = sizes->p; p + 4 <= sizes->end; p += 4) {
    const uint32_t n = whole(f, p);
    if (n > INT32_MAX || (n && count > SIZE_MAX / 2 / n)) return SIZE_MAX;
    count *= n;
  }
  return count;
}

static bristle_fault_kind read_array(five *f, part *in, const part *sizes, mat_value *v, mat_kind wanted,
                                     int is_complex)
{
  part data;
  const bristle_fault_kind kind = next_element(f, in, &v->type, &data);
  if (kind) return kind;
  const size_t each = mat_size(v->type), count = product(f, sizes), bytes = (size_t)(data.end - data.p);
  if (!each || (wanted == MAT_NUMBERS && v->type >= MAT_UTF8))
    return mat_refuse(
        f->file, AGAIN,
        "this MAT-file is damaged: at byte %zu numbers of '%s' were expected, found an element of type %u", data.at,
        v->name, (unsigned)v->type);
  v->tall = whole(f, sizes->p), v->wide = whole(f, sizes->p + 4);
  if (wanted == MAT_NUMBERS && (count > SIZE_MAX / 16 || count * each != bytes))
    return mat_refuse(f->file, AGAIN,
                      "this MAT-file is damaged: at byte %zu '%s' claims %zu x %zu numbers%s, found %zu", data.at,
                      v->name, v->tall, v->wide, sizes->end - sizes->p > 8 ? " and more" : "", bytes / each);
  if (wanted == MAT_TEXT) v->tall = 1, v->wide = bytes / each; /* letters of UTF-8 have one byte or more */
  v->data = data.p, v->most_first = f->most_first;
  v->kind = is_complex || sizes->end - sizes->p != 8 ? MAT_OTHER : wanted;
  return BRISTLE_FAULT_NONE;
}

/* ---- structures ---- */

static bristle_fault_kind read_matrix(five *f, part in, mat_value *v, int depth);

static bristle_fault_kind read_fields(five *f, part *in, mat_value *v, const part *names, size_t each, int depth)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (size_t i = 0; i < v->items * v->fields && !kind; i++) {
    mat_value *field = &v->field[i];
    part element;
    const unsigned char *name = names->p + i % v->fields * each;
    kind = expect(f, in, MAT_ELEMENT, "a field", &element);
    if (!kind && element.p < element.end) kind = read_matrix(f, element, field, depth + 1);
    mat_name(field->name, name, each);
  }
  return kind;
}

static bristle_fault_kind read_structure(five *f, part *in, const part *sizes, mat_value *v, int depth)
{
  part length, names;
  bristle_fault_kind kind = expect(f, in, MAT_INT32, "the length of names", &length);
  if (!kind) kind = expect(f, in, MAT_INT8, "names of fields", &names);
  if (kind) return kind;
  const size_t each = length.end - length.p == 4 ? whole(f, length.p) : 0, bytes = (size_t)(names.end - names.p);
  const size_t left = (size_t)(in->end - in->p), items = product(f, sizes);
  if ((!each && bytes) || (each && bytes % each))
    return mat_refuse(f->file, AGAIN,
                      "this MAT-file is damaged: at byte %zu names of %zu bytes were expected, found %zu in all",
                      names.at, each, bytes);
  v->fields = each ? bytes / each : 0;
  if (v->fields && items > left / TAG / v->fields) /* the least that a field takes is its tag */
    return mat_refuse(f->file, AGAIN,
                      "this MAT-file is damaged: at byte %zu '%s' claims %zu structures of %zu fields, found %zu bytes",
                      in->at, v->name, items, v->fields, left);
  v->items = v->fields ? items : 0;
  if (!v->items) return BRISTLE_FAULT_NONE;
  v->field = memory_take(&f->file->memory, v->items * v->fields * sizeof *v->field);
  if (!v->field) return fault_memory(f->file->fault);
  v->kind = MAT_STRUCTURE;
  return read_fields(f, in, v, &names, each, depth);
}

/* ---- variables ---- */

static bristle_fault_kind read_matrix(five *f, part in, mat_value *v, int depth)
{
  part flags = { 0 }, sizes = { 0 }, name = { 0 };
  bristle_fault_kind kind = expect(f, &in, MAT_UINT32, "flags", &flags);
  if (kind) return kind;
  if (flags.end - flags.p != 8)
    return mat_refuse(f->file, AGAIN, "this MAT-file is damaged: at byte %zu 8 bytes of flags were expected, found %zu",
                      flags.at, (size_t)(flags.end - flags.p));
  const unsigned class = whole(f, flags.p) & 255, is_complex = whole(f, flags.p) >> 11 & 1;
  if (class != CLASS_OPAQUE) kind = expect(f, &in, MAT_INT32, "sizes", &sizes);
  if (!kind) kind = expect(f, &in, MAT_INT8, "a name", &name);
  if (kind) return kind;
  mat_name(v->name, name.p, (size_t)(name.end - name.p));
  if (class == CLASS_OPAQUE || class == CLASS_OBJECT) return v->kind = MAT_OBJECT, BRISTLE_FAULT_NONE;
  if (sizes.end - sizes.p < 8 || (sizes.end - sizes.p) % 4)
    return mat_refuse(
        f->file, AGAIN,
        "this MAT-file is damaged: at byte %zu two sizes or more of 4 bytes were expected, found %zu bytes", sizes.at,
        (size_t)(sizes.end - sizes.p));
  if (class == CLASS_STRUCTURE && depth < MAT_DEEPEST) return read_structure(f, &in, &sizes, v, depth);
  if (class == CLASS_TEXT) return read_array(f, &in, &sizes, v, MAT_TEXT, 0);
  if (class < CLASS_NUMBERS || class > CLASS_LAST_NUMBERS) return BRISTLE_FAULT_NONE; /* cells, functions, sparse */
  return read_array(f, &in, &sizes, v, MAT_NUMBERS, (int)is_complex);
}

/* What a packed element holds is known only when it is unpacked; its first bytes claim how much that is. */
static bristle_fault_kind unpack(five *f, const part *element, part *inside)
{
  const size_t size = (size_t)(element->end - element->p);
  unsigned char tag[TAG];
  inflated got = inflate_zlib(element->p, size, tag, TAG);
  const size_t claimed = got.size == TAG ? whole(f, tag + 4) : 0, room = TAG + claimed;
  if (!got.wrong && got.size == TAG && claimed / INFLATE_MOST > size)
    return mat_refuse(
        f->file, AGAIN,
        "this MAT-file is damaged: the variable at byte %zu claims %zu bytes, and its %zu cannot hold them",
        element->at, claimed, size);
  unsigned char *bytes = got.wrong || got.size < TAG ? NULL : memory_take(&f->file->memory, room);
  if (!bytes && !got.wrong && got.size == TAG) return fault_memory(f->file->fault);
  if (bytes) got = inflate_zlib(element->p, size, bytes, room);
  if (got.wrong)
    return mat_refuse(f->file, AGAIN, "this MAT-file is damaged: the stream of the variable at byte %zu %s",
                      element->at, got.wrong);
  if (!bytes || got.size != room || !got.whole)
    return mat_refuse(f->file, AGAIN, "this MAT-file is damaged: the variable at byte %zu claims %zu bytes, found %s",
                      element->at, claimed, got.whole ? "fewer" : "more");
  *inside = (part){ bytes, bytes + room, element->at, 1 };
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_variable(five *f, part *in)
{
  mat_type type = MAT_ELEMENT;
  part element = { 0 }, inside;
  bristle_fault_kind kind = next_element(f, in, &type, &element);
  if (!kind && type == MAT_PACKED) {
    kind = unpack(f, &element, &inside);
    if (!kind) kind = next_element(f, &inside, &type, &element);
  }
  if (kind) return kind;
  if (type != MAT_ELEMENT)
    return mat_refuse(f->file, AGAIN,
                      "this MAT-file is damaged: at byte %zu a variable was expected, found an element of type %u",
                      element.at, (unsigned)type);
  mat_value *v = &f->file->value[f->file->count];
  kind = element.p < element.end ? read_matrix(f, element, v, 0) : BRISTLE_FAULT_NONE;
  f->file->count += !kind && v->name[0]; /* one without a name holds what MATLAB knows of its objects */
  if (!v->name[0]) *v = (mat_value){ .kind = MAT_OTHER };
  return kind;
}

bristle_fault_kind mat_read_five(mat_file *file, const char *text, size_t size)
{
  const unsigned char *bytes = (const unsigned char *)text;
  if (size < HEAD) return mat_refuse(file, AGAIN, "this MAT-file is cut: its head has 128 bytes, found %zu", size);
  const int most_first = bytes[126] == 'M' && bytes[127] == 'I';
  if (!most_first && (bytes[126] != 'I' || bytes[127] != 'M'))
    return mat_refuse(file, AGAIN, "this MAT-file is damaged: at byte 126 'IM' or 'MI' was expected");
  five f = { file, most_first };
  part in = { bytes + HEAD, bytes + size, HEAD, 0 };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  while (in.p < in.end && file->count < MAT_MOST && !kind) kind = read_variable(&f, &in);
  return kind;
}
