/* Many contacts at once: a robot's joints, a pile, a row of blocks, solved together.
 *
 *   #include <bristle/network.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     const bristle_model *law = bristle_law_find("coulomb")->f64;
 *     double p[BRISTLE_LAW_SIZE], s[2][BRISTLE_LAW_SIZE] = { { 0 } }, work[1000], f[2], u[2] = { 0 };
 *     bristle_network_contact contact[] = { { .law = law, .p = p, .s = s[0] }, { .law = law, .p = p, .s = s[1] } };
 *     const double w[] = { 2e-3, 1e-3, 1e-3, 2e-3 }, v[] = { 1e-3, 0.1 };
 *     bristle_defaults(law->info, p);
 *     bristle_network net = { .count = 2, .contact = contact, .w = w, .v = v, .h = 1e-3, .f = f, .u = u };
 *     if (bristle_network_work(&net) > 1000 || !bristle_network_solve(&net, work).converged) return 1;
 *     printf("%.3f m/s, %.3f m/s\n", u[0], u[1]);
 *   }
 * It prints "0.000 m/s, 0.098 m/s".
 *
 * A host gives the free velocities v (what the contacts would have at the end of the step without any friction), the
 * compliance W (velocities lost for unit friction forces over the step: h times the inverse of the mass as the contacts
 * see it, symmetric and positive definite), the loads and h. The network returns forces F, end velocities u and new
 * states with
 *
 *   u = v - W F(u),
 *
 * F_i(u_i) being each law's own exact update at the constant velocity u_i. Where all contacts can hold, they hold.
 * Scalar contacts take one row of v and W, contacts in a plane or in space two or three.
 *
 * Nothing is kept between calls and nothing is allocated: the caller gives the memory. The result does not depend on
 * earlier calls; it depends on the order of the contacts within the tolerance only.
 */
#ifndef BRISTLE_NETWORK_H
#define BRISTLE_NETWORK_H

#include "bristle/bristle.h"
#include "bristle/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bristle_network_contact {
  const bristle_model *law;           /* a contact along a line: one row; or else */
  const bristle_vector_model *vector; /* in a plane or in space: vector->dim rows */
  const double *p;
  double *s; /* its state, advanced by a solve */
  double x;  /* position, for laws that depend on it (scalar ones) */
  double n;  /* normal load */
  bristle_load load;
} bristle_network_contact;

typedef struct bristle_network {
  int count;
  bristle_network_contact *contact;
  const double *w; /* rows x rows, symmetric; or NULL, and then */
  /* lost = W force; called once for each row, to build the matrix in the work memory */
  void (*apply)(void *host, const double *force, double *lost);
  void *host;
  const double *v; /* rows */
  double h;
  double *f; /* out: forces, rows */
  double
      *u; /* in: a guess of the end velocities (those at the start of the step; zeros will do); out: end velocities */
} bristle_network;

typedef struct bristle_network_report {
  int sweeps;      /* over all contacts, evaluations for slopes not counted */
  int converged;   /* |u - v + W F| is below 1e-12 of max(|v| + |W| |F|) */
  double residual; /* that ratio. Without convergence u is v - W F, so that the host's balance closes; only the force of
                      some contact is not quite its law's. A shorter step helps. Infinite, and never converged,
                      where a number of the host or a force is not finite. With such a number of the host (of v, W, h
                      or a load) nothing is solved: forces are 0, u is v, and states stay. */
} bristle_network_report;

/* rows of v, f, u and W */
int bristle_network_rows(const bristle_network *net);
/* doubles of work memory that a solve needs; depends on the contacts' laws only */
size_t bristle_network_work(const bristle_network *net);

/* Advances the states of all contacts by one step. */
bristle_network_report bristle_network_solve(const bristle_network *net, double *work);

/* Derivatives of the forces of a solve, by the implicit function theorem from the laws' exact ones. The contacts'
   states are those before the step, net->f and net->u the solution. */
typedef struct bristle_network_diff {
  const bristle_diff *law; /* for a scalar contact, */
  const bristle_vector_diff *vector;
} bristle_network_diff;

typedef struct bristle_network_slopes {
  double *v; /* rows x rows: dF/dv, or NULL */
  double *n; /* rows x count: dF/dn, or NULL */
  double *p; /* rows x parameters of all contacts, in their order: dF/dp, or NULL */
} bristle_network_slopes;

void bristle_network_tangent(const bristle_network *net, const bristle_network_diff *diff,
                             const bristle_network_slopes *out, double *work);
/* doubles of work memory that a tangent needs */
size_t bristle_network_tangent_work(const bristle_network *net);

#ifdef __cplusplus
}
#endif
#endif
