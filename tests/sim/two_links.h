/* An arm of two links, for the tests of arms. */
#ifndef TEST_TWO_LINKS_H
#define TEST_TWO_LINKS_H

#include "sim/rows.h"

#include "bristle/params.h"

enum { Q1 = 1 };

static const double quarter = 1.5707963267948966;

/* rods of 2 kg and 0.4 m, lugre with a level that gravity does not reach, in both joints */
typedef struct two_links {
  bristle_lugre p[2];
  bristle_arm_link link[2];
  bristle_rig rig;
} two_links;

static inline bristle_arm_link rod(double mass, double length, double q, const bristle_law *law, const double *p)
{
  return (bristle_arm_link){ .mass = mass,
                             .length = length,
                             .centre = 0.5 * length,
                             .inertia = mass * length * length / 12,
                             .load = { .offset = 1 },
                             .contact = { .law = law, .p = p, .load = law->f64->info->load },
                             .q = q };
}

static inline void make_two(two_links *a)
{
  static const double level[] = { 25, 8 };
  for (int i = 0; i < 2; i++) {
    a->p[i] = bristle_lugre_default();
    a->p[i].sigma0 = 1e5, a->p[i].sigma1 = 300, a->p[i].vs = 0.01;
    a->p[i].fc = level[i], a->p[i].fs = 1.3 * level[i];
    a->link[i] = rod(2, 0.4, i ? 0.5 : 0.2, bristle_law_find("lugre"), (const double *)&a->p[i]);
  }
  a->rig = (bristle_rig){ .kind = BRISTLE_RIG_ARM,
                          .rotary = 1,
                          .as.arm = { .count = 2, .link = a->link, .gravity = 9.81 } };
}

#endif
