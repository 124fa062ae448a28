/* Planar contact patches: slip and spin together give a force and a torque.
 *
 *   #include <bristle/planar.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     double wrench[3];
 *     bristle_surface disk = bristle_surface_disk(0.03); // uniform pressure
 *     bristle_surface_wrench(&disk, (const double[3]){ 0, 0, 1 }, wrench);
 *     printf("a spinning disk: %.3f N m for each newton of friction\n", wrench[2]);
 *   }
 * It prints "a spinning disk: 0.020 N m for each newton of friction".
 *
 * Two models of the same contact. The patch is distributed: many cells, each with a bristle of a vector law, under
 * any pressure. The reduced model has one bristle with three components and knows the pressure only through its limit
 * surface; it costs about as much as a few cells.
 *
 * Velocities are (vx, vy, omega) of a reference point fixed to the patch, in the patch's axes; wrenches are (Fx, Fy,
 * tau) about the same point. They resist: the body feels minus the wrench, and wrench * velocity is the power lost. The
 * law is meant per unit load (BRISTLE_LOAD_COEFFICIENT); the load is given with each call. All memory is the caller's.
 */
#ifndef BRISTLE_PLANAR_H
#define BRISTLE_PLANAR_H

#include "bristle/vector.h"
#include "bristle/bristle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bristle_planar_input {
  double v[3];    /* vx, vy [m/s], omega [rad/s]; for step: at the end of the step if there were no friction */
  double n;       /* normal load of the whole patch; not above 0 = no contact */
  double w[3][3]; /* step: compliance, symmetric, positive: v_end = v - w wrench; all zero = the motion is prescribed */
  double h;       /* step: its length, > 0 */
} bristle_planar_input;

/* The usual parameters of planar patches for lugre or elasto_plastic, per unit load: sigma0 1e6, sigma1 80, sigma2 0.2,
   fc 1, fs 1.2, vs 1e-3, gamma 2, zba 0.9 fc/sigma0. Rows the law does not have are left out. */
void bristle_planar_defaults(const bristle_info *law, double *p);

bristle_status bristle_planar_check_input(const bristle_planar_input *in, int step, bristle_error *error);

/* ---- distributed ---- */

typedef struct bristle_patch {
  bristle_contact contact; /* a vector law, per unit load */
  size_t capacity, count;  /* cells there is room for, cells in use */
  double *x, *y;           /* positions from the reference point */
  double *share;           /* parts of the load; their sum is 1 */
  double *s;               /* states of the law: nstate*count; all zero is the virgin patch */
  double *trial, *v, *f;   /* room to work: nstate*count, 2*count, 2*count */
  double cop[2];           /* centre of pressure */
  double arm, gyration;    /* mean and root mean square distance of the load from it */
} bristle_patch;

/* Pressure at a point, in any unit: only its distribution matters. Not above 0 = no contact there. */
typedef double bristle_pressure(double x, double y, void *context);

size_t bristle_patch_memory(const bristle_contact *contact, size_t cells); /* in doubles */
/* Gives a patch its contact and memory; it has no cells yet. */
void bristle_patch_place(bristle_patch *patch, const bristle_contact *contact, double *memory, size_t cells);
/* Fill it with cells, at rest. Cells without pressure are dropped; pressure NULL is uniform. A failed call leaves a
   patch without cells. */
bristle_status bristle_patch_rectangle(bristle_patch *patch, int nx, int ny, double length_x, double length_y,
                                       bristle_pressure *pressure, void *context, bristle_error *error);
/* inner = 0 is a disk */
bristle_status bristle_patch_ring(bristle_patch *patch, int rings, int sectors, double inner, double outer,
                                  bristle_pressure *pressure, void *context, bristle_error *error);
bristle_status bristle_patch_cells(bristle_patch *patch, size_t count, const double *x, const double *y,
                                   const double *load, bristle_error *error);
/* A new distribution of the load over the cells there are; bristles stay as they are. */
bristle_status bristle_patch_load(bristle_patch *patch, const double *load, bristle_error *error);
bristle_status bristle_patch_check(const bristle_patch *patch, bristle_error *error);

/* Wrench at an instant, and the state rates (nstate*count) unless NULL. */
void bristle_patch_eval(const bristle_patch *patch, const bristle_planar_input *in, double wrench[3], double *rate);
/* One step: each cell exactly for its constant velocity (elasto_plastic: to second order, by its batch step). v_end may
   be NULL. */
void bristle_patch_step(bristle_patch *patch, const bristle_planar_input *in, double wrench[3], double *v_end);
void bristle_patch_steady(const bristle_patch *patch, const bristle_planar_input *in, double wrench[3]);
double bristle_patch_energy(const bristle_patch *patch, double n);

/* ---- limit surface: the wrenches in steady sliding, per unit friction coefficient and load ---- */

typedef struct bristle_surface {
  double cop[2];       /* centre of pressure, from the reference point */
  double arm;          /* torque of pure spin about it */
  double gyration;     /* root mean square distance of the load from it: stiffness and viscous drag in spin */
  double centre[2];    /* spin about this point, given from the centre of pressure, makes no force */
  int segments;        /* per quadrant of the table; 0 = an ellipsoid through `arm`, skewed by `centre` */
  const double *table; /* bristle_surface_memory(segments) numbers */
} bristle_surface;

/* 20 segments miss the wrench of the patch by 1 to 4 % in the worst direction, and converge; the ellipsoid misses it by
   15 % for round patches and by up to 45 % for slender ones. */
size_t bristle_surface_memory(int segments); /* in doubles */
bristle_status bristle_surface_init(bristle_surface *surface, const bristle_patch *patch, int segments, double *table,
                                    bristle_error *error);
bristle_surface bristle_surface_disk(double radius); /* uniform pressure, ellipsoid */
bristle_status bristle_surface_check(const bristle_surface *surface, bristle_error *error);
/* Wrench about the reference point while the patch slides with v; zero for v = 0. */
void bristle_surface_wrench(const bristle_surface *surface, const double v[3], double wrench[3]);

/* ---- reduced ----
   With u = (vx, vy, gyration*omega) at the centre of pressure, the unit wrench H(u) of the limit surface in the same
   coordinates and the mean slip speed s = H.u:

     dz/dt = u - beta (sigma0 s/g(s)) R z,   R = 1 - H H'/H.H + u u'/s^2,   F = n (sigma0 z + sigma1 dz/dt + sigma2 u)

   R is positive and takes H to u/s, so steady sliding is F = n g(s) H + n sigma2 u, on the limit surface, while a
   contact at rest is a true spring. beta is 1, or for zba > 0 the elasto-plastic switch. */

typedef struct bristle_planar {
  bristle_surface surface;
  const struct bristle_planar_law *law;
  double p[BRISTLE_LAW_SIZE]; /* its parameters, per unit load */
  int stiffness, viscous,
      elastic; /* their places; elastic: of the deflection up to which a contact is elastic, or -1 */
} bristle_planar;

/* The reduced model of a surface with a contact, whose parameters it copies; it exists for lugre and elasto_plastic. */
int bristle_planar_suits(const bristle_info *law);
bristle_status bristle_planar_init(bristle_planar *model, const bristle_surface *surface,
                                   const bristle_contact *contact, bristle_error *error);
bristle_status bristle_planar_check(const bristle_planar *model, bristle_error *error);

/* The state z[3] is a deflection in m, the last the gyration radius times an angle; zero is the virgin state. */
void bristle_planar_eval(const bristle_planar *model, const double z[3], const bristle_planar_input *in,
                         double wrench[3], double *rate);
/* Exact for constant velocity (lugre), to second order in beta (elasto-plastic); coupled through in->w. v_end may be
 * NULL. */
void bristle_planar_step(const bristle_planar *model, double z[3], const bristle_planar_input *in, double wrench[3],
                         double *v_end);
void bristle_planar_steady(const bristle_planar *model, const bristle_planar_input *in, double wrench[3]);
double bristle_planar_energy(const bristle_planar *model, const double z[3], double n);

#ifdef __cplusplus
}
#endif
#endif
