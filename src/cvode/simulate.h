/* SUNDIALS CVODE as another solver of axes, for comparison: in the tool and in tests, where it is installed. */
#ifndef BRISTLE_CVODE_H
#define BRISTLE_CVODE_H

#include "lab/sim.h"

/* Like bristle_simulate, for a rig with one degree of freedom whose law is smooth and not set-valued. */
bristle_sim_status bristle_simulate_cvode(const bristle_rig *rig, const bristle_sim_options *options,
                                          const bristle_sim_sink *sink, bristle_sim_stats *stats,
                                          bristle_sim_error *error);

#endif
