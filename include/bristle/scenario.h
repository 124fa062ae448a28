/* Scenario files: a rig, its friction, how it starts and how long it runs, from YAML or JSON.
 *
 *   #include <bristle/scenario.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     static const char text[] = "{rig: mass, mass: 1, force: 3, friction: {model: coulomb}, time: {end: 1}}";
 *     bristle_scenario *s;
 *     bristle_fault fault;
 *     bristle_sim_stats stats;
 *     bristle_sim_error error;
 *     if (bristle_scenario_text_read("example", text, sizeof text - 1, NULL, &s, &fault)) return 1;
 *     if (bristle_simulate(&s->rig, &s->options, &(bristle_sim_sink){ 0 }, &stats, &error)) return 1;
 *     printf("friction took %.3f J of %.3f J\n", stats.friction, stats.work_in);
 *     bristle_scenario_free(s);
 *   }
 * It prints "friction took 1.000 J of 3.000 J".
 *
 * Every fault names the line and column of what broke a rule, or the change that brought it. All values become SI.
 */
#ifndef BRISTLE_SCENARIO_H
#define BRISTLE_SCENARIO_H

#include "bristle/io.h"
#include "bristle/sim.h"

BRISTLE_BEGIN

typedef struct bristle_scenario {
  bristle_rig rig;
  bristle_sim_options options;
  bristle_friction friction;   /* what the contact of the rig points to; of an arm, that of the first joint */
  bristle_friction *joint;     /* arm: what the contact of each joint points to; otherwise NULL */
  const char *rig_name;        /* "spring-pull" */
  const char *title;           /* as the file has it, or NULL */
  const char *description;     /* the same */
  const bristle_table *motion; /* the file of a prescribed motion, or NULL */
  const double *motion_times;  /* its times, motion->rows of them */
  double observer[BRISTLE_LAW_SIZE];
  struct scenario_memory *memory;
} bristle_scenario;

/* *scenario is NULL when the reading failed; otherwise it has passed bristle_sim_check. `changes` (may be NULL) set
   values, making the keys on the way where they are absent: "time.end=5 s,mass=2"; friction.sigma0 is short for
   friction.parameters.sigma0. */
bristle_fault_kind bristle_scenario_file_read(const char *path, const char *changes, bristle_scenario **scenario,
                                              bristle_fault *fault);
/* The same of a text in memory, YAML or JSON; files that it names are looked for beside the file `name`, which messages
   name too. A text of NULL is that of the file `name`. `changes` is a list that ends with NULL, or NULL. */
bristle_fault_kind bristle_scenario_text_read(const char *name, const char *text, size_t size,
                                              const char *const *changes, bristle_scenario **scenario,
                                              bristle_fault *fault);
void bristle_scenario_free(bristle_scenario *scenario); /* NULL is fine */

BRISTLE_END
#endif
