/* Measured records on their way to a log; not installed. */
#ifndef BRISTLE_FIT_LOG_H
#define BRISTLE_FIT_LOG_H

#include "lab/identify.h"
#include "io/memory.h"
#include "io/support.h"

/* What a unit says of a channel. */
typedef enum log_motion_kind { LOG_KIND_OPEN, LOG_LINEAR, LOG_ROTARY } log_motion_kind;

/* A column of the table: its place, or the number of columns where there is none; what its numbers are multiplied
   with, and what is added to them then. */
typedef struct log_column {
  size_t place;
  double factor, shift;
  int scaled;           /* 1: a unit was given with the factor, so the column's own does not matter */
  log_motion_kind kind; /* of that unit */
  int turned;           /* a screw or a pulley made a length or a force of it */
} log_column;

/* Which column plays which part. */
typedef struct log_choice {
  log_column column[BRISTLE_CHANNELS];
  size_t nanoseconds; /* a column that the time, in whole seconds, goes on in; or the number of columns */
  int rotary, guessed_time;
  const bristle_column *rotary_by_name; /* NULL: units have said it, or it is not rotary */
} log_choice;

/* "torque", "#3", "voltage*35.15 N", "q2+0.5 rad", "joint_3.position"; `wanted` is the unit, linear first. */
bristle_fault_kind log_column_read(const bristle_table *table, const char *text, const char *wanted, log_column *to,
                                   bristle_fault *fault);

bristle_fault_kind log_choose(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                              bristle_fault *fault);

/* Angles and torques are rotary, lengths and forces linear. */
log_motion_kind log_kind_of(const bristle_unit_scale *unit);
/* choice->rotary, from the units, or where none is there from the names; a lead or a radius turns angles and torques
   into lengths and forces. A linear motion beside a torque, or an angle beside a force, is refused without one. */
bristle_fault_kind log_decide_rotary(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                                     bristle_fault *fault);
void log_tell_turned(bristle_log *log, const bristle_log_options *options);
void log_tell_rotary(bristle_log *log, const log_choice *choice);

/* The log holds t, f and those of x, v, a, n that were measured, all finite, time growing within its stretches: adds
   what is missing. `measured` says which were. */
bristle_fault_kind log_prepare(bristle_log *log, const bristle_log_options *options,
                               const int measured[BRISTLE_CHANNELS], bristle_fault *fault);

/* Samples of a stretch: shorter ones have nothing to say. */
enum { LOG_SHORTEST = 8 };

/* The low-pass in both directions, and how many of its 1/cut-off it needs to settle at an end. */
enum { LOG_FILTER_ORDER = 4, LOG_SETTLING = 5 };

/* Takes the motion that much later, where the force is that late: of a motion without noise the values between samples
   are as good as samples, which those of a force are not. */
bristle_fault_kind log_delay_motion(bristle_log *log, double delay, bristle_fault *fault);

/* Marks the fresh samples of a force that is taken `samples` earlier in `to`, which becomes the log's. */
void log_shift_fresh(bristle_log *log, unsigned char *to, double samples);

/* The noise of the position as it was measured. */
double log_position_noise(const bristle_log *log);
/* Where the position, filtered by now, stays within its noise for long it stays where it was, with no velocity and no
   `slide` between samples. What it has moved by after all counts when it leaves. */
void log_hold_rests(bristle_log *log, double noise, double *slide);

/* What the terms of a log are made of: its motion, and the low-pass of other columns before they are differentiated. */
typedef struct log_motion {
  const double *x, *v, *a; /* a may be NULL */
  double cutoff;           /* Hz; 0: none */
  int filtered;            /* 1: so is the force, and what is compared with it must be */
} log_motion;
/* The columns of the terms, log->extras of them. Where the force is filtered they are as if they had been made of what
   was measured and then filtered: those without derivatives, and those with a sign, go through the filter as a whole,
   the others are made of filtered columns. */
bristle_fault_kind log_extra_make(const bristle_log *log, const log_motion *of, double *const *out,
                                  bristle_fault *fault);
/* One more term, "name=expression", of the motion alone; log->extra is not filled. */
bristle_fault_kind log_extra_add(bristle_log *log, const char *text, bristle_fault *fault);
/* log->extra, of the motion that the log has now; new arrays. */
bristle_fault_kind log_extra_fill(bristle_log *log, bristle_fault *fault);

/* The columns for the time alone, for tables that are joined. */
bristle_fault_kind log_choose_time(const bristle_table *table, log_choice *choice, bristle_fault *fault);

/* Counts what the data contain and refuses those that say nothing about friction. */
bristle_fault_kind log_judge(bristle_log *log, const bristle_log_options *options, bristle_fault *fault);

/* A log that cannot be used: the fault names its file. */
bristle_fault_kind log_refuse(const bristle_log *log, bristle_fault *fault, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void log_note(bristle_log *log, int doubtful, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
