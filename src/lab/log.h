/* Logs: one measured record each, prepared: columns in SI, derivatives where they were missing, gaps as ends of
 * stretches, and what is odd about the data as sentences. lab/identify.h fits laws to them.
 */
#ifndef BRISTLE_LAB_LOG_H
#define BRISTLE_LAB_LOG_H

#include "lab/fit.h"
#include "lab/units.h"

typedef enum bristle_channel {
  BRISTLE_CHANNEL_TIME,
  BRISTLE_CHANNEL_POSITION,
  BRISTLE_CHANNEL_VELOCITY,
  BRISTLE_CHANNEL_ACCELERATION,
  BRISTLE_CHANNEL_FORCE,
  BRISTLE_CHANNEL_LOAD,
  BRISTLE_CHANNEL_WEIGHT,    /* only where a column is named for it */
  BRISTLE_CHANNEL_REFERENCE, /* what the position or the velocity should be; only in raw */
  BRISTLE_CHANNELS
} bristle_channel;
/* terms that a caller may bring; with those that are tried by themselves; files that may be joined */
enum { BRISTLE_ASKED = 8, BRISTLE_EXTRAS = 12, BRISTLE_JOINS = 4 };
const char *bristle_channel_text(bristle_channel channel);

/* All zero: everything is recognised, nothing trimmed. */
typedef struct bristle_log_options {
  const char
      *column[BRISTLE_CHANNELS]; /* NULL: by name and unit; "name", "#3", "none", "voltage*35.15 N", "q2+0.5 rad" */
  double lead, radius; /* m for each turn, or for each rad: angles and torques become lengths and forces; 0: neither */
  double rate;         /* Hz, for a table without time; 0: its time column counts */
  const char *join[BRISTLE_JOINS];  /* files whose columns are taken over at the times of this one; or NULL */
  const char *term[BRISTLE_EXTRAS]; /* "name=ddq2*cos(q1-q2)", "name=#4" or a column; or NULL */
  int loads;                        /* other forces or torques of the table may be loads that are carried: try them */
  double delay;                     /* s that the force was measured late: it is taken so much earlier */
  int keep_delay;                   /* the delay is the caller's word: no other is looked for */
  double from, to;                  /* time kept, in s after the first sample; to = 0: to the end */
  double cutoff;                    /* Hz; 0: chosen from the data where a derivative is missing; < 0: no filter */
  int inverse;                      /* the acceleration is needed, as the force of a mass */
  int motion_only;  /* no force is looked for; time and position, or else velocity, stay as they were measured */
  int acceleration; /* it is needed by a law, which asks whether the motion speeds up */
  /* Of a record like one that bristle_campaign_prepare has seen: what was decided then, and is not looked for again.
     NULL: it looks. */
  const struct bristle_conditioning *like;
} bristle_log_options;

/* What is done to a record before laws are compared with it: decided by bristle_campaign_prepare for all records of an
   identification, and kept in its model file for those who come later. */
typedef struct bristle_conditioning {
  int known;         /* 0: nothing was decided */
  int plain;         /* as bristle_log_read leaves it: the caller says how to decimate, and every sample counts */
  double cutoff;     /* Hz, of motion and force alike; 0: no filter */
  int from_velocity; /* the motion is that of the velocity column; else of the position */
  int presliding;    /* most of the force is that of bending bristles: slow samples count too */
  int dequantised;   /* positions of few counts were joined by straight lines between the changes of level */
  size_t decimate;   /* every n-th sample counts; 0 and 1: all of them */
} bristle_conditioning;

/* What a record contains, for the reader and for the verdict. Speeds in m/s or rad/s. */
typedef struct bristle_log_summary {
  double duration, rate;                      /* s, Hz */
  double travel;                              /* sum of |dx| */
  double speed_low, speed_median, speed_high; /* of the moving samples: 5 %, half, largest */
  double forward, backward, rest;             /* parts of the time; rest is below a hundredth of the largest speed */
  size_t reversals, loops; /* changes of direction; those less far apart than a tenth of the largest travel */
  double force_low, force_high, force_noise; /* the noise from second differences */
  double force_median;                       /* of |F| in motion */
  double work;                               /* integral of F v: what friction takes from the motion */
} bristle_log_summary;

/* What is known of a channel as it was measured. */
typedef struct bristle_channel_facts {
  char column[80];      /* its name in the file; log->column says what the motion is made of in the end */
  char unit[32];        /* of the column; "": none, SI */
  double factor, shift; /* that its numbers, in SI, were multiplied with, and what was added then */
  double quantum;       /* step of its levels; 0: none seen */
  double noise; /* standard deviation of its white part: the larger of quantum/sqrt(12) and what sixth differences
                   show; of a held channel that of white noise as strong at low frequencies */
  double held;  /* samples that a value is repeated for because the sensor is slower than the log; 1: fresh each time */
  double saturated; /* part of the samples that sit at the outermost level as if cut off there */
} bristle_channel_facts;

/* Friction or force over the position, as a table: straight lines between knots that are evenly spaced, the same beyond
   the ends; or one period of it. Over the samples its values sum to zero: levels and offset are those of the mean. */
enum { BRISTLE_KNOTS = 12 };
typedef enum bristle_over { BRISTLE_OVER_FRICTION, BRISTLE_OVER_FORCE, BRISTLE_OVERS } bristle_over;
typedef struct bristle_places {
  int knots;     /* 0: there is no table */
  double low;    /* of the first knot */
  double length; /* to the last one, or a whole period */
  int periodic;
  double share[BRISTLE_KNOTS]; /* part of the samples that each knot stands for */
} bristle_places;

/* What a sample can tell. */
typedef enum bristle_phase {
  BRISTLE_PHASE_NONE,       /* at an end of its stretch, where no filter has settled */
  BRISTLE_PHASE_MOVING,     /* clearly faster than the noise, and for some time before and after */
  BRISTLE_PHASE_TRANSITION, /* slow, turning, starting or stopping */
  BRISTLE_PHASE_REST        /* no motion above the noise */
} bristle_phase;

typedef struct bristle_log {
  char file[256];
  char digest[65];                     /* SHA-256 of the file, in hexadecimal; "" for logs made in memory */
  char column[BRISTLE_CHANNELS][100];  /* where it comes from: "position_m", "from position, below 60 Hz", "" */
  char option[BRISTLE_CHANNELS][100];  /* what chooses the column again, as bristle_log_options have it; "": nothing */
  double lead, radius, from, to, rate; /* of the options */
  int inverse;                         /* of the options: the force moves a mass as well */
  bristle_conditioning conditioning;   /* what was done to it */
  int rotary;
  int unit_is_given; /* of position or velocity; otherwise they are taken as linear */
  size_t count, stretches;
  size_t *first;                 /* stretches + 1 places: stretch k is first[k] .. first[k + 1] - 1 */
  int *bent;                     /* of each stretch: it begins in motion, with bent bristles */
  double *t, *x, *v, *f;         /* x follows v where it was not measured */
  double *a, *n;                 /* NULL where nobody asked, or nobody measured */
  double *slide;                 /* mean velocity since the sample before */
  double *raw[BRISTLE_CHANNELS]; /* as measured, SI, on the uniform grid of each stretch, before any filter; or NULL */
  bristle_channel_facts fact[BRISTLE_CHANNELS];
  int reference_is_velocity;
  size_t extras; /* columns of terms, each times an unknown of its own */
  size_t tried;  /* the last ones of them, which nobody asked for */
  char extra_name[BRISTLE_EXTRAS][32];
  char extra_text[BRISTLE_EXTRAS][120]; /* the expressions */
  double *extra[BRISTLE_EXTRAS];
  struct record_terms *terms;         /* what they are made of */
  bristle_places over[BRISTLE_OVERS]; /* tables that fits may use */
  double *direction;                  /* of the motion, 1 or -1, behind the filter; NULL: as the velocity has it */
  double force_delay;                 /* s that the force was taken earlier than it stands in the file */
  double velocity_lag;  /* s that the velocity column is behind dx/dt; NaN: not both measured, or no clear lag */
  unsigned char *phase; /* a bristle_phase for each sample; NULL: all count alike */
  double threshold;     /* speed above which a sample moves */
  unsigned char *fresh; /* 0: a sample on the straight line between two fresh values of a force that is read more seldom
                           than the log is written, and so must a law's be; NULL: all are fresh */
  int filtered;         /* 1: the force went through the filter of the motion, and so must a law's */
  double *w;            /* roots of the weights of the samples, mean square 1; NULL: all count alike */
  double cutoff;        /* Hz of the low-pass that x (or v) went through; 0 none */
  int cutoff_chosen;    /* from the data */
  size_t drop;          /* samples at the ends of each stretch that its filter has not settled in */
  bristle_log_summary summary;
  size_t note_count;
  char note[12][220];  /* what was done to the data and what is odd about them, as sentences */
  int doubtful;        /* how many of the notes are a reason not to believe any fit */
  size_t doubt_note;   /* place of the first of these, counted from 1; 0: none, or it has been taken back */
  size_t restarts;     /* how often its clock goes back; a new stretch begins there */
  size_t one_way_note; /* place of the note, counted from 1, that the motion goes one way; 0: it does not */
  struct memory *memory_list;
} bristle_log;

/* Data that no law can be fitted to (too few samples, a constant column, no motion, time that goes back, a force that
   drives the motion) are a fault that says so. */
bristle_fault_kind bristle_log_read(const char *path, const bristle_log_options *options, bristle_log **log,
                                    bristle_fault *fault);
/* The two halves of it: a table with the columns of all joined files, and the log. digest: of the file; or NULL. */
bristle_fault_kind bristle_log_table(const char *path, const bristle_log_options *options, bristle_table **table,
                                     char digest[65], bristle_fault *fault);
bristle_fault_kind bristle_log_from_table(const bristle_table *table, const bristle_log_options *options,
                                          bristle_log **log, bristle_fault *fault);
void bristle_log_free(bristle_log *log); /* NULL is fine */
/* Why no fit to this log can be believed, as a sentence; NULL where nothing speaks against it. */
const char *bristle_log_doubt(const bristle_log *log);
/* The record stays as it was read, every sample counts, and errors are decimated by the caller's number. */
void bristle_log_keep_plain(bristle_log *log, size_t decimate);
/* Takes the force of a record `delay` s earlier than it is; bristle_campaign_prepare comes afterwards, once more if it
   was called before. */
bristle_fault_kind bristle_log_delay(bristle_log *log, double delay, bristle_fault *fault);

#endif
