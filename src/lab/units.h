/* SI units of a contact along a line, or of a rotary one. */
#ifndef BRISTLE_LAB_UNITS_H
#define BRISTLE_LAB_UNITS_H

static inline const char *bristle_length_unit(int rotary) { return rotary ? "rad" : "m"; }
static inline const char *bristle_speed_unit(int rotary) { return rotary ? "rad/s" : "m/s"; }
static inline const char *bristle_acceleration_unit(int rotary) { return rotary ? "rad/s^2" : "m/s^2"; }
static inline const char *bristle_force_unit(int rotary) { return rotary ? "N*m" : "N"; }
static inline const char *bristle_stiffness_unit(int rotary) { return rotary ? "N*m/rad" : "N/m"; }
static inline const char *bristle_mass_unit(int rotary) { return rotary ? "kg*m^2" : "kg"; }
static inline const char *bristle_rotary_text(int rotary) { return rotary ? "rotary" : "linear"; }

#endif
