/* Pieces of the scenario reader; not installed.
 *
 * A reader keeps the first fault: what is called after it does nothing, so that the pieces read like lists. */
#ifndef BRISTLE_IO_SCENARIO_INSIDE_H
#define BRISTLE_IO_SCENARIO_INSIDE_H

#include "io/memory.h"
#include "io/support.h"

#include "lab/scenario.h"

struct scenario_memory {
  memory *blocks;
  struct scenario_table {
    bristle_table *table;
    struct scenario_table *next;
  } *tables;
  bristle_document *document; /* where the scenario was read from a file of its own: its texts are those of these */
  bristle_tree *tree;
};

typedef struct reader {
  bristle_scenario *s;
  const bristle_node *root;
  bristle_fault *fault;
  bristle_fault_kind kind;         /* of the first fault */
  int rotary;                      /* 0, 1, or BRISTLE_LINEAR_OR_ROTARY while no unit has decided */
  const bristle_node *decided;     /* where it was decided */
  const bristle_scenario_log *log; /* or NULL */
  const bristle_scenario *tables;  /* of files that were read before; or NULL */
} reader;

/* the unit of a quantity along a line and about an axis */
typedef struct unit_pair {
  const char *linear, *rotary;
} unit_pair;
extern const unit_pair unit_plain, unit_time, unit_mass, unit_length, unit_speed, unit_force, unit_stiffness,
    unit_damping, unit_rate_gain;

/* ---- values ---- */

enum { ANY = 0, NOT_NEGATIVE = 1, POSITIVE = 2, WHOLE = 4, NEEDED = 8 };

void reader_fail(reader *r, const bristle_node *node, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void *reader_take(reader *r, size_t size); /* zero bytes that live as long as the scenario; NULL on a fault */
double *reader_take_numbers(reader *r, size_t count); /* the same */

/* the units a value may have now, "N/m|N*m/rad" */
const char *reader_units(const reader *r, unit_pair unit, char text[100]);
/* a value with the unit `which` of such a list was found: linear and rotary do not mix */
void reader_decide(reader *r, const bristle_node *node, unit_pair unit, int which);
/* the usual reason for a wrong unit is a value far away: says so in the hint */
void reader_explain_unit(reader *r);
void read_value(reader *r, const bristle_node *node, unit_pair unit, int rules, double *value);
void check_rules(reader *r, const bristle_node *node, int rules, double value);
/* the same by key; the value stays as it is when the key is absent. Returns its node, or NULL */
const bristle_node *read_number(reader *r, const bristle_node *map, const char *key, unit_pair unit, int rules,
                                double *value);
const bristle_node *reader_need(reader *r, const bristle_node *map, const char *key, const char *meaning);
void reader_allow(reader *r, const bristle_node *map, const char *keys);
int read_choice(reader *r, const bristle_node *map, const char *key, const char *choices, int otherwise);
/* a list of exactly `count` numbers */
void read_numbers(reader *r, const bristle_node *list, unit_pair unit, int rules, size_t count, double *values);

/* a table beside the document, kept until the scenario is freed; NULL on a fault */
const bristle_table *read_table(reader *r, const bristle_node *node);

/* ---- what a model file found beside its law; each is taken over where the rig has room for it ---- */

void identified_mass(reader *r, bristle_axis *axis);    /* where the scenario gives none; a fault where nobody does */
void identified_offset(reader *r, bristle_axis *axis);  /* not behind a drive with a limit */
void identified_gravity(reader *r, bristle_axis *axis); /* of a pendulum that the scenario gives none */
void identified_skew(bristle_friction *friction);       /* where the law has room for it */

/* ---- programs ---- */

/* what the numbers of a program are: of motions first the position, then the velocity */
typedef struct program_kind {
  int orders; /* 2 for motions, otherwise 1 */
  unit_pair unit[2], rate[2];
  const char *columns[2]; /* their names in a file */
} program_kind;
extern const program_kind program_of_force, program_of_torque, program_of_voltage, program_of_target, program_of_speed,
    program_of_load, program_of_motion;

/* a number, a generator or a file; `node` may be NULL, which leaves the program as it is */
void read_program(reader *r, const bristle_node *node, const program_kind *kind, bristle_program *out);
/* the same for a motion; *order is 1 for velocities */
void read_motion(reader *r, const bristle_node *node, bristle_program *out, int *order);
/* {file: motion.csv, column: v}; *order -1 takes what the file has, velocities first */
void read_column_program(reader *r, const bristle_node *map, const program_kind *kind, int *order,
                         bristle_program *out);
/* A column under the names that people give to it, as `bristle identify` takes them (recognise.h). Its unit decides, as
   that of a value does. */
const bristle_column *read_usual_column(reader *r, const bristle_node *node, const bristle_table *table,
                                        const char *names, int role, unit_pair unit, int flags);
/* the position of something that moves with a speed which is constant between steps */
void read_path_of_steps(reader *r, const bristle_node *node, const bristle_program *speed, bristle_program *path);
/* a time not before the end, for straight lines that do not end in the run; a power of two keeps their slopes exact */
double reader_horizon(const reader *r);

/* ---- parts ---- */

void read_friction(reader *r, int dim, const bristle_load *load);
void read_load(reader *r, bristle_program *load); /* when the friction needs one */
enum { STARTS_X = 1, STARTS_V = 2, HAS_INTEGRAL = 4, HAS_OBSERVER = 8, ANGLE_IS_Q = 16 };
void read_axis_start(reader *r, int parts, double *x, double *v, double *integral, double *observer_z, double *z);

/* ---- parts of rigs with one degree of freedom ---- */

bristle_axis *begin_axis(reader *r); /* the rig is an axis from here on */
bristle_contact reader_contact(reader *r);
void read_mass(reader *r, bristle_axis *axis); /* or inertia, which makes the rig rotary */
void read_spring(reader *r, bristle_axis *axis);
void read_controller(reader *r, bristle_axis *axis, int volts); /* gains are forces, or volts where a motor follows */
int controller_parts(const reader *r);
void read_compensation(reader *r); /* of a servo: the rig becomes one of samples, where there is such a block */
void finish_axis(reader *r, bristle_axis *axis, int parts); /* load, start, contact: what all of them end with */

void reader_is_linear(reader *r); /* a rig that uses metres throughout */

/* ---- rigs ---- */

/* A rig of scenario files: one file in src/io/rigs with one of these, and one line in rigs.def. */
typedef struct scenario_rig {
  const char *name, *keys;
  void (*read)(reader *r);
  int starts; /* it has the key 'initial' */
} scenario_rig;

#endif
