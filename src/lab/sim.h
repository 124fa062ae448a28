/* Simulation inside the library: values of programs, of observers and of the native solver's steps. */
#ifndef BRISTLE_LAB_SIM_H
#define BRISTLE_LAB_SIM_H

#include "bristle/sim.h"

/* A stretch of time on which a program is smooth. */
typedef struct bristle_piece {
  double begin, end;   /* end may be infinite */
  double t0, y0, rate; /* knots: y = y0 + rate (t - t0) */
} bristle_piece;

/* The piece that contains t, or begins there. */
bristle_piece bristle_program_piece(const bristle_program *program, double t);
/* Value and slope (may be NULL) on a piece, its ends included, from the inside. */
double bristle_program_value(const bristle_program *program, const bristle_piece *piece, double t, double *slope);
/* Integral over a..b, which may span several pieces. */
double bristle_program_integral(const bristle_program *program, double a, double b);

int bristle_axis_observes(const bristle_law *law); /* may this law be an axis's observer? */
double bristle_segment_value(const bristle_segment *segment, double t, double *velocity); /* position */

#endif
