/* Contacts with prescribed motion: see driven.c. */
#ifndef SIM_DRIVEN_H
#define SIM_DRIVEN_H

#include "sim/axis.h"

bristle_sim_status driven_check(const bristle_driven *rig, bristle_sim_error *error);
int driven_columns(const bristle_driven *rig, int rotary, bristle_sim_column *columns);
bristle_sim_status driven_run(const bristle_driven *rig, bristle_method method, const bristle_sim_options *options,
                              const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error);

#endif
