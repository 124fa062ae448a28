/* What the parts of a fleet share; not installed. */
#ifndef BRISTLE_FLEET_INSIDE_H
#define BRISTLE_FLEET_INSIDE_H

#include "bristle/fleet.h"
#include "io/memory.h"
#include "io/support.h"

enum { FLEET_SPEEDS = 3, FLEET_TERMS = 5 };

/* The columns of the laws that are asked for. */
void fleet_list_columns(bristle_fleet *fleet, const bristle_fleet_options *options);
/* Fits all logs of an axis. Thread-safe. */
void fleet_fit_axis(bristle_fleet *fleet, bristle_fleet_axis *axis, const bristle_fleet_options *options);
/* The table of an axis. Reading: nonzero where there is none for these logs and options. */
bristle_fault_kind fleet_axis_write(const bristle_fleet *fleet, const bristle_fleet_axis *axis, const char *folder,
                                    const char digest[65], bristle_fault *fault);
int fleet_axis_read(bristle_fleet *fleet, bristle_fleet_axis *axis, const char *folder, const char digest[65]);
void fleet_axis_digest(const bristle_fleet *fleet, const bristle_fleet_axis *axis, const bristle_fleet_options *options,
                       char digest[65]);

#endif
