/* The balance of a step of an axis with its generated derivatives, for identification. */
#ifndef SIM_AXIS_BALANCE_H
#define SIM_AXIS_BALANCE_H

/* directions: position, velocity, length of the step, then the numbers of the axis in their order */
enum { AXIS_D_X, AXIS_D_V, AXIS_D_H, AXIS_D_NUMBER, AXIS_DIRECTIONS = AXIS_D_NUMBER + 10 };

typedef struct axis_slopes {
  double free[AXIS_DIRECTIONS], compliance[AXIS_DIRECTIONS], load[AXIS_DIRECTIONS];
} axis_slopes;

/* `last`: the last direction that is wanted; those behind it may be left out. `drive` is an axis_drive, the numbers are
   those of axis_numbers as an array. */
void axis_balance_differentiate(const double *number, const struct axis_drive *drive, double x, double v, double h,
                                int last, axis_slopes *slopes);

#endif
