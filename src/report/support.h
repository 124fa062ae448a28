/* What the parts of a report share; not installed. */
#ifndef BRISTLE_REPORT_SUPPORT_H
#define BRISTLE_REPORT_SUPPORT_H

#include "lab/report.h"

#include <stdint.h>

/* ---- text that grows ---- */

typedef struct text {
  char *data;
  size_t used, room;
  int failed; /* no memory: what follows is dropped */
} text;

void text_drop(text *t);
void text_add(text *t, const char *piece, size_t length);
void text_print(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_html(text *t, const char *plain);  /* escaped; NULL is nothing */
void text_rich(text *t, const char *marked); /* the same with `code`, _{sub} and ^{sup} */
void text_json(text *t, const char *plain);  /* a quoted string that is safe inside a script element */
void text_number(text *t, double value);     /* shortest digits; "null" when it is not finite */
void text_fixed(text *t, double value, int decimals);
void text_count(text *t, size_t count); /* 2 000 000 */
/* the bytes of the numbers, little end first, as float or double */
void text_base64(text *t, const double *values, size_t count, int as_float);

/* ---- axes ---- */

/* maps values to 0..1 */
typedef struct frame {
  double low, high; /* logarithms when log is set */
  int log;
} frame;

int frame_shows(const frame *f, double value);
double frame_at(const frame *f, double value);
/* before the first value; then every value; then finish leaves no empty span */
frame frame_empty(int log);
void frame_take(frame *f, double value);
void frame_finish(frame *f);
void frame_pad(frame *f, double share);

/* the exponent of ten by which an axis is scaled down, and the words beside it */
int axis_exponent(const bristle_plot_axis *axis, const frame *f);
void axis_unit(const char *unit, int exponent, text *out);
void axis_label(const bristle_plot_axis *axis, int exponent, text *out);

enum { TICKS = 24 };
typedef struct ticks {
  int count, decimals; /* decimals -1: powers of ten */
  double at[TICKS];
} ticks;
ticks ticks_of(const frame *f, int about);
void tick_text(const ticks *t, int i, text *out);

/* ---- samples ---- */

/* The indices of the samples to keep, in order, at most `limit` of them; NULL when there is no memory. */
size_t *keep_time(const bristle_series *s, const frame *x, const frame *y, size_t limit, size_t *count);
size_t *keep_path(const bristle_series *s, const frame *x, const frame *y, size_t limit, size_t *count);
int is_gap(const bristle_series *s, const frame *x, const frame *y, size_t i);

/* What is left of a series: displayed units, gaps are NaN in y. */
typedef struct curve {
  bristle_series s; /* x, y and low are owned */
  size_t total;
} curve;

/* ---- pictures ---- */

typedef struct picture {
  const bristle_plot *plot;
  frame x, y; /* of displayed values */
  text x_label, y_label, x_unit, y_unit;
  curve *curves;
  double *marks; /* where they are */
  double *spans; /* from, to */
} picture;

void picture_svg(const picture *p, text *out);

/* ---- the report ---- */

typedef struct group {
  char *name;
  int exponent; /* of x, the same in every plot of the group */
} group;

struct bristle_report {
  text title, contents, body;
  size_t sections, plots, groups, chapters;
  size_t lead; /* bytes of the body before the first section */
  int folded;  /* the section ends with a folded part */
  group *group;
  bristle_fault_kind kind;
  char what[200];
};

/* may things still be added? */
int report_is_fine(const bristle_report *r);
/* Content, set as all texts of a report, between two pieces of HTML. */
void report_element(text *out, const char *open, const char *content, const char *close);
void report_fail(bristle_report *r, bristle_fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* what is embedded at build time */
typedef struct embedded {
  const char *data;
  size_t size;
} embedded;
extern const embedded embedded_page_css, embedded_page_js;

#endif
