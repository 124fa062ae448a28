/* The gallery: figures made of runs, what they show, and the numbers that check them. */
#ifndef CLI_GALLERY_H
#define CLI_GALLERY_H

#include "simulate/simulation.h"

enum { GALLERY_RUNS = 12 }; /* of one figure, at most */

/* Scenarios of the folder examples, embedded when the tool is built. */
typedef struct gallery_example {
  const char *name, *text; /* "stick_slip" is examples/stick_slip.yaml */
  size_t size;
} gallery_example;
extern const gallery_example gallery_examples[];
extern const int gallery_example_count;

/* A scenario with some values changed. */
typedef struct gallery_run {
  const char *example, *set; /* set: as --set has it, or NULL */
  const char *name;          /* in legends */
} gallery_run;

/* Where a reference comes from. */
typedef enum gallery_source {
  GALLERY_AS_THE_FIGURE,
  GALLERY_PUBLISHED,   /* printed in the paper or manual that the figure names */
  GALLERY_CLOSED_FORM, /* a formula, worked out here */
  GALLERY_SOLVER,      /* the same equations, solved by other programs with other methods until the digits stood */
  GALLERY_OWN_STUDY,   /* runs of this tool with shorter and shorter steps */
  GALLERY_LIMIT        /* no value but a limit that was chosen here; references "< ..." without another source */
} gallery_source;

/* A number taken from the runs, beside what it must be. */
typedef struct gallery_number {
  const char *what, *unit;
  /* As printed in its source, or the closed form rounded: half a unit of the last digit is the tolerance.
     "< 1e-6" is a limit for the magnitude. */
  const char *reference;
  double (*measure)(const simulation *runs, const struct gallery_number *n);
  int run;                    /* which of the runs */
  const char *column, *where; /* what is measured; what crosses `level` */
  double level, from, to;     /* times from, to: 0 and 0 are the whole run */
  int falling;                /* crossings on the way down */
  double times;               /* a factor for the result; 0 is 1 */
  double within;              /* the tolerance where the digits of the reference are not, as `what` explains; or 0 */
  gallery_source source;      /* where it is another than the figure's */
} gallery_number;

/* Columns of runs against each other. */
typedef struct gallery_plot {
  const char *title, *caption;
  const char *x, *y;  /* columns; a plot over t is one over time */
  const char *runs;   /* "02": only these; NULL is all */
  double from, to;    /* rows of this time only; 0 and 0 are the whole run */
  const char *steady; /* name of a dashed curve: the steady force of the first run's law over its speeds; or NULL */
  int half, equal;    /* as in bristle_plot */
  const bristle_mark *marks;
  size_t mark_count;
} gallery_plot;

typedef struct gallery_figure {
  const char *name, *title, *text; /* text: what to see */
  size_t run_count, plot_count, number_count;
  gallery_source source; /* of its numbers that do not say another */
  const gallery_run *runs;
  const gallery_plot *plots;
  const gallery_number *numbers;
  void (*draw)(const simulation *runs, bristle_report *report); /* pictures that are not columns of runs; or NULL */
  /* Instead of runs: draws the figure and fills its numbers. Or NULL. */
  bristle_fault_kind (*compute)(bristle_report *report, double *values, bristle_fault *fault);
} gallery_figure;

#define GALLERY_RUNS_OF(list) .run_count = sizeof(list) / sizeof *(list), .runs = (list)
#define GALLERY_PLOTS_OF(list) .plot_count = sizeof(list) / sizeof *(list), .plots = (list)
/* with the source of the references: there are no numbers without one */
#define GALLERY_NUMBERS_OF(list, of)                                                                                   \
  .number_count = sizeof(list) / sizeof *(list), .numbers = (list),                                                    \
  .source = (of) + 0 * sizeof(char[(of) > GALLERY_AS_THE_FIGURE ? 1 : -1])

/* One list for each file of figures, each ending with a figure without a name. */
extern const gallery_figure gallery_static[], gallery_classic[], gallery_lugre[], gallery_hysteresis[],
    gallery_bodies[], gallery_arm[], gallery_compensation[], gallery_piatkowski[], gallery_cristian[],
    gallery_sources[];

/* ---- running and checking ---- */

typedef struct gallery_result {
  double computed, reference, difference, part; /* part: of the tolerance that is used up */
  int within;
} gallery_result;

/* Runs all of a figure; rows go into FOLDER/name.csv or name-1.csv, ...  0, or FAILED with a message on stderr. */
int gallery_execute(const gallery_figure *figure, const char *folder, bristle_scenario **scenarios, simulation *runs);
/* The file of a run, without its folder. */
void gallery_file(const gallery_figure *figure, size_t run, char *text, size_t size);
/* "closed form", "independent solver", ... */
const char *gallery_source_text(const gallery_figure *figure, const gallery_number *n);
gallery_result gallery_check(const gallery_number *n, double computed);
/* The largest energy residual of the runs with error control, relative to the work done. */
double gallery_residual(const gallery_figure *figure, const simulation *runs);
extern const gallery_number gallery_residual_limit;

/* A section of the page: text, pictures, numbers, and how to repeat it. results: number_count and the residual. */
void gallery_section(const gallery_figure *figure, const simulation *runs, const gallery_result *results,
                     bristle_report *report);
/* Only the table of its numbers. */
void gallery_numbers(const gallery_figure *figure, const gallery_result *results, bristle_report *report);

/* ---- measures; NaN where there is nothing to measure ---- */

const double *run_column(const simulation *s, const char *name); /* NULL when there is none */
double run_value(const simulation *s, const char *column, double t);
typedef double gallery_measure(const simulation *runs, const gallery_number *n);
gallery_measure value_at;         /* column at the time `from` */
gallery_measure change;           /* column at `to` minus column at `from` */
gallery_measure last_value;       /* column in the last row */
gallery_measure largest;          /* column between from and to, between the rows by a parabola */
gallery_measure least;            /* the same */
gallery_measure first_peak;       /* the first local maximum after from */
gallery_measure crossing_time;    /* when `where` first crosses `level` after from */
gallery_measure value_when;       /* column at that time */
gallery_measure interval;         /* from that time to the next such crossing */
gallery_measure turning_interval; /* from one maximum of x to the next, the speed having kinks there */
gallery_measure motion_begins;    /* when a body that rests exactly begins to move, after from */
gallery_measure motion_ends;      /* when it comes to rest */
gallery_measure value_at_rest;    /* column extrapolated to where the speed was zero, from the rows after `from` */
gallery_measure loop_work;        /* integral of F dx between from and to, rows at the corners of the motion */

#endif
