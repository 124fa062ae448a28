/* What the formats share. */
#ifndef BRIDGE_PARTS_H
#define BRIDGE_PARTS_H

#include "bridge.h"
#include "text/scan.h"
#include "text/texts.h"

/* ---- faults and notes ---- */
bristle_fault_kind bridge_fault(bristle_fault *fault, bristle_fault_kind kind, const char *hint, const char *format,
                                ...) __attribute__((format(printf, 4, 5)));
void bridge_lost(bridge_result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bridge_note(bridge_result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* the text of the model's law; a build for small programs may lack it */
bristle_fault_kind bridge_law_text(const bridge_request *q, const law_text **text, bristle_fault *fault);

/* which parameters neither the model nor --set gave, though they say how large friction is */
void bridge_tell_defaults(const bridge_request *q, bridge_result *r);

/* ---- names ---- */
enum { BRIDGE_NAME = 64 };
/* the name of a file without folder and ending */
void bridge_stem(const char *path, char *stem, size_t size);
/* the same as a name of the C language */
void bridge_identifier(const char *path, char name[BRIDGE_NAME]);
/* A text that stands in a comment of C, Modelica or XML: two characters that end one, or begin one inside it, are
   drawn apart. */
void bridge_comment(buffer *out, const char *text, size_t length);

/* ---- frames: "@NAME@" is replaced by the value of NAME ---- */
typedef struct bridge_field {
  const char *name, *value;
} bridge_field;
void bridge_fill(buffer *out, const char *frame, const bridge_field *fields, int count);

/* ---- numbers ---- */
/* what a unit is made of, as attributes of XML: kg="1" m="1" s="-2" */
void bridge_base_units(buffer *out, const char *unit);
/* shortest constant of C that is exactly this number: "0.5", "1e-3f" */
const char *bridge_constant(double value, int single, char text[48]);

/* ---- files that appear together or not at all ---- */
typedef struct bridge_file {
  char path[512];
  char *text; /* belongs to the caller */
  size_t size;
} bridge_file;
bristle_fault_kind bridge_write(const bridge_file *file, int count, bristle_output_kind kind, bridge_result *r,
                                bristle_fault *fault);

#endif
