#include "noise.h"

#include "io/support.h"
#include "maths/elementary.h"
#include "maths/random.h"

#include <stdio.h>
#include <string.h>

static bristle_fault_kind refuse(bristle_fault *fault, const char *text, const char *what, const char *hint)
{
  fault_set(fault, BRISTLE_FAULT_VALUE, hint, "%s", what);
  snprintf(fault->file, sizeof fault->file, "--noise %.60s", text);
  return fault->kind;
}

static int find(const char *name, size_t length, int width, const bristle_sim_column *columns)
{
  for (int i = 1; i < width; i++) /* the time is no measurement */
    if (strlen(columns[i].name) == length && !memcmp(columns[i].name, name, length)) return i;
  return -1;
}

bristle_fault_kind noise_read(const char *text, unsigned seed, int width, const bristle_sim_column *columns,
                              noise *made, bristle_fault *fault)
{
  static const char hint[] = "write F=10 mN,x=1 um with columns of the output";
  *made = (noise){ .state = seed };
  for (const char *at = text; *at;) {
    const size_t length = strcspn(at, ","), name = strcspn(at, "=");
    const int column = name < length ? find(at, name, width, columns) : -1;
    if (column < 0) return refuse(fault, text, "found no column of the output and its level", hint);
    double level = 0;
    bristle_fault_kind kind = bristle_quantity_read(at + name + 1, length - name - 1, columns[column].unit, &level,
                                                    NULL, fault);
    if (kind) {
      snprintf(fault->file, sizeof fault->file, "--noise %.60s", text);
      return kind;
    }
    if (!(level >= 0)) return refuse(fault, text, "found a level below zero", hint);
    made->level[column] = level;
    at += length + (at[length] == ',');
  }
  return BRISTLE_FAULT_NONE;
}

/* between 0 and 1, ends left out */
static double uniform(noise *n) { return ((double)(random_next(&n->state) >> 11) + 0.5) * 0x1p-53; }

/* Box and Muller */
static double gaussian(noise *n)
{
  const double radius = sqrt(-2 * log(uniform(n)));
  return radius * cos(6.283185307179586477 * uniform(n));
}

void noise_add(noise *n, int width, double *values)
{
  for (int i = 1; i < width; i++)
    if (n->level[i] > 0) values[i] += n->level[i] * gaussian(n);
}
