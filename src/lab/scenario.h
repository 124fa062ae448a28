/* Scenarios inside the library: documents whose values are changed, and runs that were measured. */
#ifndef BRISTLE_LAB_SCENARIO_H
#define BRISTLE_LAB_SCENARIO_H

#include "bristle/scenario.h"
#include "lab/io.h"
#include "lab/sim.h"

/* ---- documents with values changed ---- */

typedef struct bristle_tree bristle_tree;

/* The document must outlive the tree. */
bristle_fault_kind bristle_tree_new(const bristle_document *document, bristle_tree **tree, bristle_fault *fault);
void bristle_tree_free(bristle_tree *tree); /* NULL is fine */
const bristle_node *bristle_tree_root(const bristle_tree *tree);
/* "time.end=5 s,mass=2": sets values, making the keys on the way where they are absent. `prefix` (may be NULL) goes
   before each name; friction.sigma0 is short for friction.parameters.sigma0. A value that was set or put before is
   refused. Faults name "option set time.end=5 s". */
bristle_fault_kind bristle_tree_set(bristle_tree *tree, const char *prefix, const char *text, bristle_fault *fault);
/* One value, taken as it is, over whatever was there; faults name `place`. */
bristle_fault_kind bristle_tree_put(bristle_tree *tree, const char *name, const char *value, const char *place,
                                    bristle_fault *fault);

/* ---- scenarios ---- */

/* The scenario has passed bristle_sim_check. *scenario is NULL when the reading failed. */
bristle_fault_kind bristle_scenario_read(const bristle_node *root, bristle_scenario **scenario, bristle_fault *fault);
/* A measured table whose columns the programs of a scenario may name without a file: force: {column: motor_force}. The
   run ends with it. */
typedef struct bristle_scenario_log {
  const bristle_table *table;
  size_t first, count; /* its rows */
  const double *t;     /* count times, from 0 on */
} bristle_scenario_log;

/* The same for a run that was measured. `tables` (may be NULL) is a scenario that outlives this one: files that it has
   read are not read again. */
bristle_fault_kind bristle_scenario_read_with(const bristle_node *root, const bristle_scenario_log *log,
                                              const bristle_scenario *tables, bristle_scenario **scenario,
                                              bristle_fault *fault);

#endif
