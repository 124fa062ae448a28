/* The limit surface in the coordinates of planar_frame, for the models built on it. */
#ifndef BRISTLE_PLANAR_SURFACE_H
#define BRISTLE_PLANAR_SURFACE_H

#include "planar/couple.h"

/* Unit wrench H of sliding with the speeds u, dual to u: H.u is the mean slip speed. Zero for u = 0. */
void surface_wrench(const bristle_surface *surface, const double u[3], double H[3]);

#endif
