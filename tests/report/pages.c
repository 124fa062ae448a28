/* Writes the sample pages that the browser test opens: report-pages FOLDER. */
#include "lab/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define COUNT(array) (sizeof(array) / sizeof *(array))

static int write_page(bristle_report *report, const char *folder, const char *name)
{
  char path[1000], sentence[800];
  bristle_fault fault;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  bristle_fault_kind kind = bristle_report_write(report, path, &fault);
  bristle_report_free(report);
  if (!kind) return 0;
  bristle_fault_text(&fault, sentence, sizeof sentence);
  fprintf(stderr, "report-pages: %s\n", sentence);
  return 1;
}

/* ---- every kind of thing, ten samples each ---- */

static void add_texts(bristle_report *r)
{
  const char *const facts[][2] = { { "law", "`lugre`" },
                                   { "bristle stiffness \xcf\x83_{0}", "10^{5} N/m" },
                                   { "run", "10 s, 2.1 s stuck" },
                                   { "<b>escaped</b>", "\"quotes\" & </script>" } };
  const char *const heads[] = { "parameter", "value", "95 % interval", "unit" };
  const char *const cells[] = { "F_{c}",        "1.002", "0.991 to 1.013", "N",           "F_{s}", "1.497",
                                "1.43 to 1.56", "N",     "v_{s}",          "0.0011",      NULL,    "m/s",
                                "\xcf\x83_{2}", "0.41",  "0.38 to 0.44",   "N\xc2\xb7s/m" };
  const char *const names[] = { "F_{c}", "F_{s}", "v_{s}", "\xcf\x83_{2}" };
  const double correlation[] = { 1,     0.82,  -0.31, -0.93, 0.82,  1,     -0.67, -0.55,
                                 -0.31, -0.67, 1,     NAN,   -0.93, -0.55, 0.08,  1 };
  bristle_report_text(
      r, "A sample page with one thing of every kind: it is written by the tests and opened by a browser.");
  bristle_report_section(r, "Facts and tables");
  bristle_report_facts(r, COUNT(facts), facts);
  bristle_report_table(r, &(bristle_report_grid){ "Parameters, with 95 % intervals.", "lrrl", 4, 4, heads, cells });
  bristle_report_matrix(r, &(bristle_matrix){ .caption = "Correlation of the parameters.",
                                              .columns = 4,
                                              .rows = 4,
                                              .column_names = names,
                                              .row_names = names,
                                              .values = correlation,
                                              .limit = 1 });
  bristle_report_code(r, "bristle simulate pull.yaml --report pull.html   # </script><script>alert(1)</script>\n");
}

static void add_time_plots(bristle_report *r)
{
  const double t[] = { 0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09 };
  const double force[] = { 0, 0.4, 0.9, 1.3, NAN, 1.1, 1.0, 0.97, 1.02, 1 };
  const double held[] = { 0, 0, 1, 1, 1, 2, 2, 0, 0, 0 };
  const double low[] = { -0.1, 0.3, 0.8, 1.1, NAN, 0.9, 0.8, 0.8, 0.9, 0.9 };
  const double high[] = { 0.1, 0.5, 1.0, 1.5, NAN, 1.3, 1.2, 1.2, 1.2, 1.1 };
  const double other_t[] = { 0.005, 0.025, 0.045, 0.065, 0.085 }, other[] = { 0.2, 1.1, 1.25, 0.95, 1.05 };
  const double slip[] = { 0, 1e-6, 3e-6, 4e-6, 9e-6, 1.3e-5, 1.4e-5, 1.4e-5, 1.5e-5, 1.5e-5 };
  const bristle_series forces[] = { { "95 % band", BRISTLE_STYLE_BAND, 10, t, high, low },
                                    { "simulated", BRISTLE_STYLE_LINE, 10, t, force, NULL },
                                    { "measured", BRISTLE_STYLE_POINTS, 5, other_t, other, NULL },
                                    { "level", BRISTLE_STYLE_STEPS, 10, t, held, NULL } };
  const bristle_series slips[] = { { "slip", BRISTLE_STYLE_LINE, 10, t, slip, NULL } };
  const bristle_mark marks[] = {
    { 0.035, 0, "slips" }, { 0.037, 0, "again" }, { 0.07, 0, "sticks" }, { 1.5, 1, "F_s" }
  };
  bristle_report_section(r, "Time");
  bristle_report_plot(r, &(bristle_plot){ .title = "Friction force",
                                          .caption = "With a gap at 40 ms.",
                                          .group = "run",
                                          .x = { "t", "s", 0 },
                                          .y = { "F", "N", 0 },
                                          .series_count = 4,
                                          .series = forces,
                                          .mark_count = 4,
                                          .marks = marks });
  bristle_report_plot(r, &(bristle_plot){ .title = "Slip",
                                          .group = "run",
                                          .x = { "t", "s", 0 },
                                          .y = { "x", "m", 0 },
                                          .series_count = 1,
                                          .series = slips });
}

static void add_path_plots(bristle_report *r)
{
  double x[10], v[10], force[10], small[10], large[10];
  for (int i = 0; i < 10; i++) {
    x[i] = 2e-5 * sin(2 * PI * i / 9), v[i] = 2e-5 * cos(2 * PI * i / 9);
    force[i] = sin(2 * PI * i / 9 + 0.6);
    small[i] = pow(10, -7 + 0.7 * i), large[i] = 1e3 * pow(1 + small[i] / 1e-5, -0.4);
  }
  const bristle_series loop[] = { { "LuGre", BRISTLE_STYLE_LINE, 10, x, force, NULL },
                                  { "limit", BRISTLE_STYLE_DASHED, 10, v, force, NULL } };
  const bristle_series plane[] = { { "orbit", BRISTLE_STYLE_LINE, 10, x, v, NULL } };
  const bristle_series curve[] = { { "Stribeck curve", BRISTLE_STYLE_LINE, 10, small, large, NULL },
                                   { "measured", BRISTLE_STYLE_POINTS, 10, small, large, NULL } };
  const bristle_series cloud[] = { { "residual", BRISTLE_STYLE_POINTS, 10, force, large, NULL } };
  bristle_report_section(r, "Loops and curves");
  bristle_report_plot(r, &(bristle_plot){ BRISTLE_PLOT_XY, .title = "Hysteresis", .half = 1, .x = { "x", "m", 0 },
                                          .y = { "F", "N", 0 }, .series_count = 2, .series = loop });
  bristle_report_plot(r, &(bristle_plot){ BRISTLE_PLOT_XY, .title = "Phase plane", .half = 1, .equal = 1,
                                          .x = { "x", "m", 0 }, .y = { "v", "m/s", 0 }, .series_count = 1,
                                          .series = plane });
  bristle_report_plot(r,
                      &(bristle_plot){ BRISTLE_PLOT_XY, .title = "Stribeck curve", .half = 1, .x = { "|v|", "m/s", 1 },
                                       .y = { "F", "N", 1 }, .series_count = 2, .series = curve });
  bristle_report_plot(r, &(bristle_plot){ BRISTLE_PLOT_XY, .title = "A unit without prefix", .half = 1,
                                          .x = { "ratio", "1", 0 }, .y = { "stiffness", "1/m^2", 0 }, .series_count = 1,
                                          .series = cloud });
}

static void add_odd_plots(bristle_report *r)
{
  const double one = 3, nothing[] = { NAN, NAN, INFINITY }, t[] = { 0, 1, 2 }, flat[] = { 5, 5, 5 };
  const double late[] = { 1e5, 1e5 + 1e-3, 1e5 + 2e-3 }, tall[] = { 1e30, 2e30, -1e30 };
  bristle_report_section(r, "Odd ones </script>");
  bristle_report_plot(r,
                      &(bristle_plot){ .title = "One sample",
                                       .half = 1,
                                       .series_count = 1,
                                       .series = &(bristle_series){ "one", BRISTLE_STYLE_LINE, 1, &one, &one, NULL } });
  bristle_report_plot(
      r, &(bristle_plot){ .title = "Only gaps",
                          .half = 1,
                          .x = { "t", "s", 0 },
                          .series_count = 1,
                          .series = &(bristle_series){ "none", BRISTLE_STYLE_LINE, 3, t, nothing, NULL } });
  bristle_report_plot(r, &(bristle_plot){ BRISTLE_PLOT_XY, .title = "Nothing", .half = 1 });
  bristle_report_plot(r,
                      &(bristle_plot){ .title = "Flat",
                                       .half = 1,
                                       .x = { "t", "s", 0 },
                                       .y = { "p", "Pa", 0 },
                                       .series_count = 1,
                                       .series = &(bristle_series){ "flat", BRISTLE_STYLE_LINE, 3, t, flat, NULL } });
  bristle_report_plot(
      r, &(bristle_plot){ .title = "Late and huge",
                          .x = { "t", "s", 0 },
                          .y = { "F", "N", 0 },
                          .series_count = 1,
                          .series = &(bristle_series){ "huge", BRISTLE_STYLE_LINE, 3, late, tall, NULL } });
}

static int write_every(const char *folder)
{
  bristle_report *r = bristle_report_new("Every kind & <sort>");
  add_texts(r);
  add_time_plots(r);
  add_path_plots(r);
  add_odd_plots(r);
  return write_page(r, folder, "every.html");
}

/* ---- two million samples: stick-slip, as it looks ---- */

static int write_large(const char *folder)
{
  enum { N = 2000000, COLUMNS = 6 };
  double *data = malloc(COLUMNS * N * sizeof *data), *t = data, *x = t + N, *v = x + N, *force = v + N,
         *low = force + N, *z = low + N;
  if (!data) return 1;
  for (size_t i = 0; i < N; i++) {
    t[i] = 100000 + 1e-3 * (double)i;
    double phase = fmod(0.05 * t[i], 1), slip = phase > 0.8 ? sin(PI * (phase - 0.8) / 0.2) : 0;
    v[i] = 0.2 * slip * slip + 1e-4 * sin(37 * t[i]);
    x[i] = 1e-5 * sin(0.9 * t[i]) * (1 + 0.2 * sin(0.001 * t[i]));
    force[i] = 1.2 * fmin(phase, 0.8) - 0.9 * slip + 0.01 * sin(900 * t[i]);
    low[i] = force[i] - 0.05;
    z[i] = force[i] * fabs(1e5 * x[i]) + 0.8 * (cos(0.9 * t[i]) > 0 ? 1 : -1);
  }
  force[N / 2] = 3; /* one spike that must not get lost */
  for (size_t i = N / 3; i < N / 3 + 60000; i++) v[i] = NAN;
  bristle_report *r = bristle_report_new("Two million samples");
  const bristle_series forces[] = { { "band", BRISTLE_STYLE_BAND, N, t, force, low },
                                    { "force", BRISTLE_STYLE_LINE, N, t, force, NULL } };
  bristle_report_section(r, "Time");
  bristle_report_plot(r, &(bristle_plot){ .title = "Force",
                                          .caption = "With one spike.",
                                          .group = "run",
                                          .x = { "t", "s", 0 },
                                          .y = { "F", "N", 0 },
                                          .series_count = 2,
                                          .series = forces });
  bristle_report_plot(r,
                      &(bristle_plot){ .title = "Velocity",
                                       .group = "run",
                                       .x = { "t", "s", 0 },
                                       .y = { "v", "m/s", 0 },
                                       .series_count = 1,
                                       .series = &(bristle_series){ "velocity", BRISTLE_STYLE_LINE, N, t, v, NULL } });
  bristle_report_plot(r,
                      &(bristle_plot){ .title = "Position",
                                       .group = "run",
                                       .x = { "t", "s", 0 },
                                       .y = { "x", "m", 0 },
                                       .series_count = 1,
                                       .series = &(bristle_series){ "position", BRISTLE_STYLE_STEPS, N, t, x, NULL } });
  bristle_report_section(r, "Loops");
  bristle_report_plot(r, &(bristle_plot){ BRISTLE_PLOT_XY, .title = "Hysteresis", .half = 1, .x = { "x", "m", 0 },
                                          .y = { "F", "N", 0 }, .series_count = 1,
                                          .series = &(bristle_series){ "loops", BRISTLE_STYLE_LINE, N, x, z, NULL } });
  bristle_report_plot(r,
                      &(bristle_plot){ BRISTLE_PLOT_XY, .title = "Force over velocity", .half = 1,
                                       .x = { "v", "m/s", 0 }, .y = { "F", "N", 0 }, .series_count = 1,
                                       .series = &(bristle_series){ "path", BRISTLE_STYLE_LINE, N, v, force, NULL } });
  bristle_report_plot(
      r, &(bristle_plot){ BRISTLE_PLOT_XY, .title = "A cloud", .x = { "v", "m/s", 0 }, .y = { "F", "N", 0 },
                          .series_count = 1,
                          .series = &(bristle_series){ "samples", BRISTLE_STYLE_POINTS, N, v, force, NULL } });
  free(data);
  return write_page(r, folder, "large.html");
}

/* ---- many figures ---- */

static int write_gallery(const char *folder)
{
  enum { SECTIONS = 18, N = 4000 };
  double x[N], force[N], t[N];
  bristle_report *r = bristle_report_new("A gallery");
  bristle_report_text(r, "Eighteen laws that do not exist, with two pictures each.");
  for (int k = 0; k < SECTIONS; k++) {
    char name[40];
    snprintf(name, sizeof name, "Law %d", k + 1);
    for (int i = 0; i < N; i++) {
      t[i] = 1e-3 * i;
      x[i] = 1e-4 * sin(2 * PI * t[i]) * (1 - 0.1 * t[i]);
      force[i] = tanh((1 + k) * 2e4 * x[i]) + 0.3 * tanh(20 * cos(2 * PI * t[i]));
    }
    bristle_report_section(r, name);
    bristle_report_text(r, "Four cycles of a shrinking amplitude.");
    bristle_report_plot(
        r, &(bristle_plot){ BRISTLE_PLOT_XY, .title = "Force over position", .half = 1, .x = { "x", "m", 0 },
                            .y = { "F", "N", 0 }, .series_count = 1,
                            .series = &(bristle_series){ "force", BRISTLE_STYLE_LINE, N, x, force, NULL } });
    bristle_report_plot(
        r, &(bristle_plot){ .title = "Force over time",
                            .half = 1,
                            .x = { "t", "s", 0 },
                            .y = { "F", "N", 0 },
                            .series_count = 1,
                            .series = &(bristle_series){ "force", BRISTLE_STYLE_LINE, N, t, force, NULL } });
  }
  return write_page(r, folder, "gallery.html");
}

int main(int argc, char **argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: report-pages FOLDER\n");
    return 2;
  }
  return write_every(argv[1]) || write_large(argv[1]) || write_gallery(argv[1]);
}
