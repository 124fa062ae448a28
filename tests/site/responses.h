/* Responses of a law as curves, for the pictures of its page. */
#ifndef ATLAS_RESPONSES_H
#define ATLAS_RESPONSES_H

#include "probe.h"

enum { CURVE_MOST = 420 };

typedef struct curve {
  int count;
  double x[CURVE_MOST], y[CURVE_MOST];
} curve;

/* What is done, with motions and loads in the sizes of `like`, so that several subjects can share a picture. */
typedef struct response {
  const char *name;
  void (*draw)(const subject *of, const subject *like, curve *out);
} response;

extern const response responses[];
extern const int response_count;

void draw_steady(const subject *of, const subject *like, curve *out);
void draw_loop(const subject *of, const subject *like, double amplitude, curve *out);
void draw_velocity_step(const subject *of, const subject *like, curve *out);

/* the largest difference of two curves, in parts of the level */
double curves_differ(const curve *a, const curve *b, double level);

/* Three values of a parameter that show what it does: fills values and subjects, and gives 0 where there are none. */
int three_values(const subject *of, const bristle_row *row, double value[3], subject with[3]);

#endif
