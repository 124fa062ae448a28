/* law-atlas: everything that the site shows of a law and that must be computed, as JSON on the standard output.
 *
 *   law-atlas effects   the comparison as a table: law, and for each effect a verdict and a number
 *   law-atlas laws      curves of every law; law-atlas laws NAME of one
 */
#define _POSIX_C_SOURCE 200809L
#include "effects.h"
#include "responses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void points(const char *name, const curve *c, const char *after)
{
  if (name) printf("\"%s\": ", name);
  printf("[");
  for (int i = 0; i < c->count; i++) printf("%s[%.5g, %.5g]", i ? ", " : "", c->x[i], c->y[i]);
  printf("]%s", after);
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* nanoseconds of one step, the best of several rounds: sliding to and fro, or a body that is pushed to and fro */
static double cost(const subject *of, int coupled)
{
  double best = 1e9;
  for (int round = 0; round < 7; round++) {
    contact c = contact_fresh(of);
    const double begin = seconds();
    for (int i = 0; i < 20000; i++) {
      const double way = (i & 255) / 128.0 - 1;
      if (coupled) contact_push(&c, 1, 1.5 * of->level * way, 1e-3);
      else contact_move(&c, 3 * of->speed * way, 1e-3, 1);
    }
    best = fmin(best, (seconds() - begin) / 20000);
  }
  return 1e9 * best;
}

static void print_steady(const subject *of)
{
  curve c;
  printf("  \"steady\": [");
  for (int side = -1; side <= 1; side += 2) {
    c.count = 0;
    for (int i = 1; i <= 120; i++) {
      const double part = i / 120.0, v = side * 5 * of->speed * part * part;
      c.x[c.count] = v;
      c.y[c.count++] = steady_force(of, v);
    }
    points(NULL, &c, side < 0 ? ", " : "],\n");
  }
}

static void print_loops(const subject *of)
{
  static const double part[] = { 0.4, 1, 3 };
  curve c;
  printf("  \"loops\": [");
  for (int i = 0; i < 3; i++) {
    draw_loop(of, of, part[i] * of->travel, &c);
    points(NULL, &c, i < 2 ? ", " : "],\n");
  }
}

static void print_rates(const subject *of)
{
  const subject dry = subject_dry(of);
  printf("  \"rates\": [");
  for (int i = 0; i < 8; i++) {
    contact c = contact_fresh(&dry);
    const double rate = of->level * pow(10, -1 + 0.375 * i);
    printf("%s[%.5g, %.5g]", i ? ", " : "", rate, break_away(&c, rate));
  }
  printf("],\n");
}

enum { PULLS = 8, SPRINGS = 7 };

static double pull_at(const subject *of, int i) { return of->speed * pow(10, -0.5 + 0.285714 * i); }

static double spring_at(const subject *of, int j) { return stiffness_for(of, pow(10, 0.4 + 0.25 * j)); }

static void print_map(const subject *of)
{
  printf("  \"map\": {\"pull\": [");
  for (int i = 0; i < PULLS; i++) printf("%s%.4g", i ? ", " : "", pull_at(of, i));
  printf("], \"stiffness\": [");
  for (int j = 0; j < SPRINGS; j++) printf("%s%.4g", j ? ", " : "", spring_at(of, j));
  printf("], \"slips\": [");
  for (int j = 0; j < SPRINGS; j++) {
    printf("%s\"", j ? ", " : "");
    for (int i = 0; i < PULLS; i++) putchar('0' + sticks_and_slips(of, spring_at(of, j), pull_at(of, i)));
    printf("\"");
  }
  printf("]},\n");
}

/* the picture in which a parameter shows most; viscous parts show in fast sliding, times at rest */
static const char *choose_picture(const subject *of, const bristle_row *row, const subject with[3], int count,
                                  curve shown[3])
{
  static curve trial[3];
  const int fast = row->role == BRISTLE_ROLE_VISCOUS || row->role == BRISTLE_ROLE_DRAG
                   || row->role == BRISTLE_ROLE_POWER;
  const char *name = NULL;
  double most = 0;
  for (int r = 0; r < response_count; r++) {
    const int is_rest = !strcmp(responses[r].name, "rest"), backward = !strcmp(responses[r].name, "backward");
    const int is_fast = backward || !strcmp(responses[r].name, "fast");
    if (fast != is_fast || (backward && most > 0) || (is_rest && most > 0.02 && row->role != BRISTLE_ROLE_TIME))
      continue;
    for (int i = 0; i < count; i++) responses[r].draw(&with[i], of, &trial[i]);
    const curve *last = &trial[count - 1];
    const double differ = fmax(curves_differ(&trial[0], last, of->level), curves_differ(&trial[1], last, of->level));
    const double wanted = is_rest ? fmax(0.01, 0.5 * most) : fmax(0.002, (r == 1 ? 1.5 : 3) * most);
    if (differ < wanted) continue;
    most = differ;
    name = responses[r].name;
    memcpy(shown, trial, sizeof trial);
  }
  return name;
}

static void print_parameter(const subject *of, const bristle_row *row, const char **separator)
{
  static curve shown[3];
  double value[3];
  subject with[3];
  const int count = three_values(of, row, value, with);
  const char *name = count ? choose_picture(of, row, with, count, shown) : NULL;
  if (!name) return;
  printf("%s\n    {\"name\": \"%s\", \"picture\": \"%s\", \"values\": [", *separator, row->name, name);
  for (int i = 0; i < count; i++) printf("%s%.6g", i ? ", " : "", value[i]);
  printf("], \"curves\": [");
  for (int i = 0; i < count; i++) points(NULL, &shown[i], i < count - 1 ? ", " : "]}");
  *separator = ",";
}

static void print_roles(const bristle_info *info)
{
  printf("  \"roles\": {");
  for (int r = 0; r < info->param_rows; r++)
    printf("%s\"%s\": %d", r ? ", " : "", info->param[r].name, (int)info->param[r].role);
  printf("},\n");
}

static void print_law(const bristle_law *law)
{
  const subject of = subject_of(law);
  const char *separator = "";
  curve c;
  printf("{\"law\": \"%s\", \"level\": %.6g, \"speed\": %.6g, \"travel\": %.6g, \"ns_step\": %.3g, \"ns_coupled\": "
         "%.3g,\n",
         law->name, of.level, of.speed, of.travel, cost(&of, 0), cost(&of, 1));
  print_roles(law->f64->info);
  print_steady(&of);
  print_loops(&of);
  draw_velocity_step(&of, &of, &c);
  printf("  ");
  points("step", &c, ",\n");
  print_rates(&of);
  print_map(&of);
  printf("  \"parameters\": [");
  for (int r = 0; r < law->f64->info->param_rows; r++) print_parameter(&of, &law->f64->info->param[r], &separator);
  printf("]}");
}

static int print_effects(void)
{
  printf("law");
  for (int e = 0; e < effect_count; e++) printf(",%s", effects[e].name);
  printf("\n");
  for (int i = 0; i < comparison_count(); i++) {
    char name[96];
    subject of;
    comparison_name(i, name, sizeof name);
    if (!subject_named(name, &of)) return 1;
    printf("%s", name);
    for (int e = 0; e < effect_count; e++) {
      const double number = effects[e].measure(&of);
      printf(",%s %.2g", effect_word(effect_shown(&effects[e], number)), fabs(number) < 1e-9 ? 0 : number);
    }
    printf("\n");
  }
  return 0;
}

static void print_columns(void)
{
  printf("[");
  for (int e = 0; e < effect_count; e++)
    printf("%s\n{\"name\": \"%s\", \"title\": \"%s\", \"how\": \"%s\", \"unit\": \"%s\", \"limit\": %g, \"below\": %d, "
           "\"nearly\": %g}",
           e ? "," : "", effects[e].name, effects[e].title, effects[e].how, effects[e].unit, effects[e].limit,
           effects[e].below, effects[e].nearly);
  printf("]\n");
}

int main(int count, char **words)
{
  const char *what = count > 1 ? words[1] : "";
  if (!strcmp(what, "effects")) return print_effects();
  if (!strcmp(what, "columns")) return print_columns(), 0;
  if (strcmp(what, "laws")) return fprintf(stderr, "law-atlas effects | columns | laws [NAME ...]\n"), 2;
  printf("[");
  for (int i = 0, first = 1; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    int wanted = count == 2;
    for (int k = 2; k < count; k++) wanted |= !strcmp(words[k], law->name);
    if (!wanted) continue;
    printf("%s", first ? "" : ",\n");
    print_law(law);
    first = 0;
  }
  printf("]\n");
  return 0;
}
