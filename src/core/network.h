/* What the parts of the network solver share. All numbers live in the caller's work memory. */
#ifndef CORE_NETWORK_H
#define CORE_NETWORK_H

#include "bristle/network.h"
#include "bristle/bristle.h"
#include "core/maths.h"

enum { NETWORK_BLOCK = 9 };

/* A guess: velocities or their b-form b = u + r F, what the laws do with it, and what that leaves of the balance. */
typedef struct network_guess {
  double *b, *u, *f, *r; /* rows */
  double *s;             /* the contacts' new states, one after the other */
  double size, scale;    /* largest residual; size of the numbers it is made of */
} network_guess;

typedef struct network {
  const bristle_network *net;
  int rows, states;
  int lines;      /* all contacts lie along lines */
  int set_valued; /* contacts that can rest exactly */
  const double *w, *v;
  double *own;                  /* memory for W where the host applies it */
  double *hold;                 /* r: a 3x3 block for each contact */
  double *slope;                /* dF/db or dF/du: likewise */
  int *measured;                /* contacts: is the slope a difference, or was it told by earlier ones? */
  double *lu, *pair;            /* two matrices */
  double *y, *sum, *order;      /* rows: a correction, sums, pivots */
  double *force, *first, *push; /* rows: for the ways below */
  network_guess now, next, best;
  int prescribed; /* contacts move at the guess itself (r = 0) */
  int sliding;    /* a contact that can move on does, even if it could rest */
  int sweeps;
} network;

/* one row of a dense matrix times a vector */
FN double network_dot(const double *a, const double *x, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * x[i];
  return sum;
}

/* what rounding leaves of w times a slope, if that is a difference over 1e-8 of what the contact feels */
#define NETWORK_NOISE 2e-8

/* A law was found to rise by `rise` over `way`: its slope after it, from the one before. A measured slope and the chord
   make a parabola, whose own slope is not to be trusted twice: then the chord has to do. 0: the law bends too much for
   that. A way on which rounding is seen tells nothing new. */
FN int network_slope_on(double *slope, int *measured, double way, double rise, double force, double w)
{
  const double chord = rise / way, bend = chord - *slope;
  if (abs_f64(rise) <= 1e-7 * abs_f64(force) && abs_f64(*slope * way) <= 1e-7 * abs_f64(force)) return 1;
  if (!(abs_f64(bend) <= 0.03 * abs_f64(*slope))) return 0;
  *slope = *measured && abs_f64(w * bend) > NETWORK_NOISE ? chord + bend : chord;
  *measured = 0;
  return 1;
}

FN int network_dim(const bristle_network_contact *c) { return c->law ? 1 : c->vector->dim; }
FN int network_nstate(const bristle_network_contact *c)
{
  return c->law ? c->law->info->nstate : c->vector->info->nstate;
}
FN unsigned network_traits(const bristle_network_contact *c)
{
  return c->law ? c->law->info->traits : c->vector->info->traits;
}

/* What a moving contact of a set-valued law is pushed by: more than it could hold against, in its direction, or else it
   would rest. Some laws blend their force with that. */
FN double network_push(const bristle_network_contact *at, double v)
{
  return v == 0 || !(network_traits(at) & BRISTLE_TRAIT_SET_VALUED) ? 0 : copysign_f64(1e100, v);
}

void network_lay_out(network *k, const bristle_network *net, double *work);

/* linear algebra */
int network_factor(double *a, int n, double *order); /* LU with pivots; 0 when singular */
void network_back(const double *lu, int n, const double *order, double *x);
/* x becomes A^-1 x by L D L' of its upper triangle; the number of negative pivots, or -1 when singular */
int network_solve_symmetric(const double *a, int n, double *memory, double *x);

/* contacts */
void network_hold_diagonal(network *k);                    /* r = blocks of W on its diagonal */
void network_evaluate(network *k, network_guess *at);      /* at->b given: u, f, s, residual */
void network_balance(const network *k, network_guess *at); /* the residual of at->u and at->f */
void network_local(network *k, int c, int row, const double *b, double *u, double *f, double *s);
/* a scalar contact's law at a given velocity, pushed; its state stays */
double network_force(const network *k, int c, double v, double push);
/* dF/db; what was found `before` on the way to `at` (or NULL) may save steps */
void network_slopes(network *k, const network_guess *at, const network_guess *before);
double network_merit(const network *k, const network_guess *at);
void network_lost(const network *k, const double *f, double *lost); /* W f */
int network_done(const network_guess *at);                          /* what the report calls converged */
int network_settled(const network_guess *at);                       /* so close that rounding may be all that is left */
int network_exact(const network_guess *at);                         /* nothing left to gain */
void network_swap(network_guess *a, network_guess *b);
void network_keep(network *k, network_guess *to, const network_guess *from);

void network_follow(network *k, const double *f, double *b); /* b that the forces f leave to each contact */
void network_sweep(network *k, network_guess *at);           /* Gauss and Seidel, contact by contact */
void network_remember(network *k);                           /* k->best: the smallest residual so far */

int network_correction(network *k, const network_guess *at); /* k->y: Newton's step */
void network_move(network *k, double part);                  /* k->next: k->now and a part of it */
void network_matrix(network *k, double *a);                  /* I + (W - r) D; r = 0 for prescribed motion */

/* ways to a solution; each ends with k->now, and says whether it is one */
int network_direct(network *k); /* for contacts along lines that can all rest and keep no states */
int network_rest(network *k);
int network_quick(network *k);
int network_newton(network *k, int rounds);
int network_path(network *k);
/* from a solution in k->now to one with more contacts at rest, if one is found */
void network_nearer(network *k);

#endif
