/* Reports: one HTML file that needs nothing else, with sections, text, tables and pictures one can zoom into.
 *
 * The file makes no network request and works from a folder, on paper and without scripts. The same calls give the
 * same bytes. Everything given is copied (samples after they were thinned out), so arrays may be freed at once.
 *
 * The calls that fill a report return nothing: the first thing that goes wrong is kept, later calls do nothing, and
 * bristle_report_write returns it. A NULL report (no memory) is fine everywhere.
 *
 * Texts are UTF-8 and are escaped. In headings, paragraphs, captions, facts, tables and names of series, `code`,
 * x_{sub} and x^{sup} are set as such; axis labels and marks are plain.
 */
#ifndef BRISTLE_LAB_REPORT_H
#define BRISTLE_LAB_REPORT_H

#include "lab/io.h"

typedef struct bristle_report bristle_report;

bristle_report *bristle_report_new(const char *title);
void bristle_report_free(bristle_report *report); /* NULL is fine */
/* Writes the file whole or not at all, as bristle_output does. */
bristle_fault_kind bristle_report_write(const bristle_report *report, const char *path, bristle_fault *fault);

/* Starts a section; a page of many sections gets a table of contents. */
void bristle_report_section(bristle_report *report, const char *heading);
/* The same with a name by which addresses lead to it (page.html#name); letters, digits, - and _ only. */
void bristle_report_section_named(bristle_report *report, const char *heading, const char *name);
/* The sections that follow stand under this heading in the table of contents, each with a small picture of its own. */
void bristle_report_chapter(bristle_report *report, const char *heading);
void bristle_report_text(bristle_report *report, const char *paragraph);
/* A paragraph that nobody shall miss. */
void bristle_report_notice(bristle_report *report, const char *paragraph);
/* What follows in this section is folded away below this line; paper and tests see it all. */
void bristle_report_fold(bristle_report *report, const char *summary);
/* A line that leads to another page beside this one: "speed.html#stribeck". */
void bristle_report_link(bristle_report *report, const char *address, const char *text);
/* Commands or files, as they are. */
void bristle_report_code(bristle_report *report, const char *text);

typedef enum bristle_grade { BRISTLE_GRADE_GOOD, BRISTLE_GRADE_CARE, BRISTLE_GRADE_BAD } bristle_grade;

typedef struct bristle_card_row {
  const char *name, *about, *value, *unit;
  const char *note; /* a doubt about this number, below it; NULL: none */
  int unknown;      /* it stands out */
} bristle_card_row;

/* The first screen of a page, before its sections: what the result is worth, in a word and in a sentence, its numbers,
   and what to do next. */
typedef struct bristle_card {
  bristle_grade grade;
  int beside;                         /* a picture of half width follows, and stands beside it */
  const char *word, *sentence, *next; /* next: a sentence with `commands`; NULL: none */
  size_t details, rows, facts;
  const char *const *detail; /* sentences below the first */
  const bristle_card_row *row;
  const char *const (*fact)[2]; /* a number and what it is, in a row of their own */
} bristle_card;
void bristle_report_card(bristle_report *report, const bristle_card *card);
/* The facts of a card, after its picture. */
void bristle_report_card_facts(bristle_report *report, const bristle_card *card);
/* The head of what a table says of a parameter: "Stribeck speed". Returns out. */
char *bristle_report_about(const char *doc, char out[64]);
/* "N s/m", "kg m^{2}" of "N*s/m", "kg*m^2", as people write units. Returns out. */
char *bristle_report_unit(const char *unit, char out[48]);

/* Pairs of a name and a value. */
void bristle_report_facts(bristle_report *report, size_t count, const char *const (*facts)[2]);

/* Cells row by row; NULL is an empty one. `align` has a letter for each column, l, c or r; NULL is all left. */
typedef struct bristle_report_grid {
  const char *caption, *align;
  size_t columns, rows;
  const char *const *heads, *const *cells;
} bristle_report_grid;
void bristle_report_table(bristle_report *report, const bristle_report_grid *grid);
/* The same with a row that stands out, counted from 1; 0: none. */
void bristle_report_table_marked(bristle_report *report, const bristle_report_grid *grid, size_t row);

/* A matrix as coloured cells, row by row, from -limit to limit: correlations have limit 1. NaN is a hatched cell. Of
   more columns than a page is wide the cells show their numbers when they are pointed at. */
typedef struct bristle_matrix {
  const char *caption;
  size_t columns, rows;
  const char *const *column_names, *const *row_names;
  const double *values;
  double limit, low; /* low: where the colour begins, of numbers that are all larger */
  const char *unit;  /* a bar shows which colour is which number in this unit; NULL: no bar */
  int upward;        /* the first row is the lowest, as on a map */
  /* A command that a reader gets for a cell, with {x} and {y} for the numbers (or names) of its column and row; NULL:
     none */
  const char *command;
  const double *column_at, *row_at; /* NULL: the names stand in the command */
} bristle_matrix;
void bristle_report_matrix(bristle_report *report, const bristle_matrix *matrix);

/* ---- plots ---- */

typedef enum bristle_plot_kind {
  BRISTLE_PLOT_TIME, /* x never goes back; zooming selects a span of x, and y follows */
  BRISTLE_PLOT_XY    /* any path: loops, phase planes, curves over a parameter */
} bristle_plot_kind;

typedef enum bristle_style {
  BRISTLE_STYLE_LINE,
  BRISTLE_STYLE_DASHED,
  BRISTLE_STYLE_STEPS, /* holds each value until the next */
  BRISTLE_STYLE_POINTS,
  BRISTLE_STYLE_BAND, /* filled between low and y */
  BRISTLE_STYLE_WIDE  /* a broad pale line, to be seen below another one */
} bristle_style;

/* Values in SI; the page chooses a prefix ("um" when all are tiny) that suits the axis. NaN and infinite values are
   gaps, as are values that a logarithmic axis cannot show. */
typedef struct bristle_series {
  const char *name;
  bristle_style style;
  size_t count;
  const double *x, *y, *low; /* low: of a band only */
} bristle_series;

typedef struct bristle_plot_axis {
  const char *label, *unit; /* "v", "m/s"; NULL or "" is no unit */
  int log;
} bristle_plot_axis;

/* A line across the plot with a label: an event, a limit. */
typedef struct bristle_mark {
  double at;
  int horizontal; /* at a value of y; otherwise at a value of x */
  const char *label;
} bristle_mark;

/* A stretch of x that is shaded. */
typedef struct bristle_span {
  double from, to;
} bristle_span;

typedef struct bristle_plot {
  bristle_plot_kind kind;
  const char *title, *caption;
  const char *group; /* time plots with the same name share their zoom and cursor; NULL is alone */
  bristle_plot_axis x, y;
  int equal; /* one unit of x is as long as one of y */
  int half;  /* half as wide, two beside each other */
  size_t series_count, mark_count;
  const bristle_series *series;
  const bristle_mark *marks;
  size_t span_count;
  const bristle_span *spans;
  const char *span_name; /* what the shade means */
  size_t limit;          /* samples shown of each series at most; 0 is 20000, the least is 100 */
} bristle_plot;

/* Longer series are thinned out: the least and the largest value of every piece of a time plot stay, and the shape and
   the extremes of an XY path; the caption says so. */
void bristle_report_plot(bristle_report *report, const bristle_plot *plot);

#endif
