#include "lab/report.h"
#include "support/test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/bristle-report-XXXXXX";

static const char *in_folder(const char *name)
{
  static char path[4][200];
  static int next;
  next = (next + 1) % 4;
  if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL, "no folder");
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

__attribute__((destructor)) static void remove_folder(void)
{
  if (strstr(folder, "XXXXXX")) return;
  unlink(in_folder("a.html")), unlink(in_folder("b.html"));
  rmdir(folder);
}

static size_t files_in_folder(void)
{
  size_t count = 0;
  DIR *listing = opendir(folder);
  for (struct dirent *entry; listing && (entry = readdir(listing));) count += entry->d_name[0] != '.';
  if (listing) closedir(listing);
  return count;
}

/* the whole file; the caller frees it */
static char *content(const char *path)
{
  struct stat about;
  FILE *file = fopen(path, "rb");
  CHECK(file && !fstat(fileno(file), &about), "no %s", path);
  char *text = file ? calloc(1, (size_t)about.st_size + 1) : NULL;
  if (text) CHECK(fread(text, 1, (size_t)about.st_size, file) == (size_t)about.st_size, "short read");
  if (file) fclose(file);
  return text ? text : calloc(1, 1);
}

static size_t occurrences(const char *text, const char *piece)
{
  size_t count = 0;
  for (; (text = strstr(text, piece)); text += strlen(piece)) count++;
  return count;
}

/* writes, frees the report and returns what is in the file, or the fault as a sentence */
static char *written(bristle_report *report, const char *name)
{
  bristle_fault fault;
  bristle_fault_kind kind = bristle_report_write(report, in_folder(name), &fault);
  bristle_report_free(report);
  if (!kind) return content(in_folder(name));
  char *sentence = calloc(1, 1000);
  bristle_fault_text(&fault, sentence, 1000);
  return sentence;
}

static bristle_report *sample(void)
{
  static const double t[] = { 0, 1, 2, 3 }, y[] = { 1e-5, NAN, 3e-5, -2e-5 };
  static const char *const names[] = { "</script>", "b" };
  static const double values[] = { 1, -0.5, -0.5, NAN };
  bristle_report *r = bristle_report_new("Title </title> & more");
  bristle_series series[] = { { "</script>", BRISTLE_STYLE_LINE, 4, t, y, NULL },
                              { NULL, BRISTLE_STYLE_BAND, 4, t, y, y } };
  bristle_mark mark = { 1.5, 0, "<i>event</i>" };
  bristle_report_section(r, "Section </h2>");
  bristle_report_text(r, "Paragraph </p><script>bad()</script>");
  bristle_report_code(r, "</code></pre>");
  bristle_report_facts(r, 1, (const char *const[][2]){ { "a </dt>", "b </dd>" } });
  bristle_report_table(r, &(bristle_report_grid){ "caption", "lr", 2, 1, names, names });
  bristle_report_matrix(r, &(bristle_matrix){ .caption = "matrix",
                                              .columns = 2,
                                              .rows = 2,
                                              .column_names = names,
                                              .row_names = names,
                                              .values = values,
                                              .limit = 1 });
  for (int kind = 0; kind < 2; kind++)
    bristle_report_plot(r, &(bristle_plot){ .kind = (bristle_plot_kind)kind,
                                            .title = "Plot </h3>",
                                            .group = "\"><b>",
                                            .caption = "</figcaption>",
                                            .x = { "</svg>", "s", 0 },
                                            .y = { "y", "m", 0 },
                                            .series_count = 2,
                                            .series = series,
                                            .mark_count = 1,
                                            .marks = &mark });
  return r;
}

TEST(same_calls_give_the_same_bytes)
{
  char *a = written(sample(), "a.html"), *b = written(sample(), "b.html");
  CHECK(strlen(a) > 10000 && !strcmp(a, b), "%zu and %zu bytes", strlen(a), strlen(b));
  free(a), free(b);
}

TEST(whatever_is_written_stays_text)
{
  char *page = written(sample(), "a.html");
  CHECK(!strstr(page, "<script>bad") && !strstr(page, "<i>event") && !strstr(page, "\"><b>"), "not escaped");
  CHECK(occurrences(page, "<script") == occurrences(page, "</script"), "%zu scripts, %zu ends",
        occurrences(page, "<script"), occurrences(page, "</script"));
  CHECK(occurrences(page, "<title>") == 1 && occurrences(page, "</title>") == 1, "title");
  CHECK(occurrences(page, "</h2>") == 1 && occurrences(page, "</svg>") == 2 && occurrences(page, "</dd>") == 1,
        "elements");
  CHECK(occurrences(page, "<figure") == 2 && occurrences(page, "</figure>") == 2, "figures");
  CHECK(strstr(page, "\xc2\xb5m"), "no micrometres");
  free(page);
}

TEST(nothing_is_fetched)
{
  char *page = written(sample(), "a.html");
  CHECK(!strstr(page, " src=") && !strstr(page, "@import") && !strstr(page, "url("), "something is loaded");
  CHECK(strstr(page, "default-src 'none'"), "no policy");
  free(page);
}

static void add_series(bristle_report *r, size_t count, const double *x, const double *y)
{
  for (int kind = 0; kind < 2; kind++)
    for (int style = BRISTLE_STYLE_LINE; style <= BRISTLE_STYLE_BAND; style++)
      for (int log = 0; log < 2; log++)
        bristle_report_plot(
            r, &(bristle_plot){ .kind = (bristle_plot_kind)kind,
                                .x = { "x", "m", log },
                                .y = { "y", "N", log },
                                .equal = style == 0,
                                .series_count = 1,
                                .series = &(bristle_series){ "s", (bristle_style)style, count, x, y, y } });
}

TEST(odd_series_are_drawn_without_strange_numbers)
{
  enum { N = 500 };
  static double gaps[N], infinite[N], zero[N], huge[N], t[N];
  for (int i = 0; i < N; i++) {
    t[i] = i, gaps[i] = NAN, infinite[i] = i % 3 ? INFINITY : -INFINITY;
    huge[i] = i % 2 ? 1.7e308 : -1.7e308;
  }
  bristle_report *r = bristle_report_new(NULL);
  const double *const all[] = { gaps, infinite, zero, huge };
  for (size_t k = 0; k < 4; k++)
    for (size_t n = 0; n <= N; n = n < 2 ? n + 1 : n * N / 2) add_series(r, n, t, all[k]);
  add_series(r, N, gaps, t);
  add_series(r, 1, &t[3], &t[4]);
  bristle_report_plot(r, &(bristle_plot){ 0 });
  char *page = written(r, "a.html");
  size_t pictures = 0;
  for (char *next = page, *svg; (svg = strstr(next, "<svg")); pictures++) {
    next = strstr(svg, "</svg>");
    *next++ = '\0';
    CHECK(!strstr(svg, "nan") && !strstr(svg, "inf"), "picture %zu: %.300s", pictures, svg);
  }
  CHECK(pictures == (4 * 4 + 2) * 20 + 1, "%zu pictures: %.200s", pictures, page);
  free(page);
}

TEST(two_million_samples_make_a_small_file)
{
  enum { N = 2000000 };
  double *t = malloc(N * sizeof *t), *y = malloc(N * sizeof *y), *z = malloc(N * sizeof *z);
  for (size_t i = 0; i < N; i++)
    t[i] = 1e5 + 1e-3 * (double)i, y[i] = sin(1e-3 * (double)i) + 1e-3 * (double)(i % 17), z[i] = cos(1e-3 * (double)i);
  y[1234567] = 7.25;
  bristle_report *r = bristle_report_new("large");
  bristle_series time = { "time", BRISTLE_STYLE_LINE, N, t, y, NULL },
                 loop = { "loop", BRISTLE_STYLE_LINE, N, z, y, NULL };
  const int pairs = test_share(4, 1);
  for (int k = 0; k < pairs; k++) {
    bristle_report_plot(r, &(bristle_plot){ .x = { "t", "s", 0 }, .series_count = 1, .series = &time });
    bristle_report_plot(r, &(bristle_plot){ BRISTLE_PLOT_XY, .series_count = 1, .series = &loop });
  }
  free(t), free(y), free(z);
  char *page = written(r, "a.html");
  CHECK(strlen(page) < (size_t)pairs * 1250000, "%zu bytes", strlen(page));
  CHECK(occurrences(page, "of 2\xe2\x80\xaf"
                          "000\xe2\x80\xaf"
                          "000 points, extremes kept")
            == 2 * (size_t)pairs,
        "the captions do not tell");
  free(page);
}

TEST(an_unwritable_place_leaves_nothing_behind)
{
  char *first = written(sample(), "a.html"), *complaint = written(sample(), "no/such/folder.html");
  CHECK(strstr(complaint, "make the folder first"), "%s", complaint);
  CHECK(files_in_folder() <= 2 && !access(in_folder("a.html"), R_OK), "%zu files", files_in_folder());
  free(first), free(complaint);
}

TEST(the_first_fault_is_kept_and_written_nowhere)
{
  const double t[] = { 0, 2, 1 };
  bristle_series back = { "back", BRISTLE_STYLE_LINE, 3, t, t, NULL },
                 none = { "none", BRISTLE_STYLE_LINE, 3, t, NULL, NULL };
  bristle_report *r = bristle_report_new("faulty");
  bristle_report_plot(r, &(bristle_plot){ .title = "P", .series_count = 1, .series = &back });
  bristle_report_plot(r, &(bristle_plot){ .title = "Q", .series_count = 1, .series = &none });
  bristle_report_text(r, "more");
  unlink(in_folder("b.html"));
  char *complaint = written(r, "b.html");
  CHECK(!strcmp(complaint, "report: series 'back' of 'P' goes back in time at sample 2"), "%s", complaint);
  CHECK(access(in_folder("b.html"), F_OK), "a file in spite of the fault");
  free(complaint);
  r = bristle_report_new("paths may turn");
  bristle_report_plot(r, &(bristle_plot){ BRISTLE_PLOT_XY, .series_count = 1, .series = &back });
  bristle_report_plot(r, &(bristle_plot){ .title = "Q", .series_count = 1, .series = &none });
  complaint = written(r, "b.html");
  CHECK(!strcmp(complaint, "report: series 'none' of 'Q' has no data"), "%s", complaint);
  free(complaint);
  bristle_report_text(NULL, "nothing"), bristle_report_plot(NULL, &(bristle_plot){ 0 }), bristle_report_free(NULL);
  CHECK(bristle_report_write(NULL, in_folder("b.html"), NULL) == BRISTLE_FAULT_MEMORY, "NULL was written");
}

TEST(report_chapters_names_and_shades)
{
  static const double t[] = { 0, 1, 2 }, f[] = { 0, 1, 0 };
  const bristle_series series[] = { { "measured", BRISTLE_STYLE_WIDE, 3, t, f, NULL } };
  const bristle_span spans[] = { { 0.5, 1 }, { 1.5, 9 } };
  bristle_report *r = bristle_report_new("Chapters");
  bristle_report_text(r, "What was found.");
  for (int k = 0; k < 2; k++) {
    static const char *const names[] = { "first-one", "second_2" };
    bristle_report_chapter(r, k ? "Later" : "Early");
    for (int i = 0; i < 2; i++) bristle_report_section_named(r, "A section", i ? names[k] : k ? "b" : "a");
  }
  bristle_report_plot(r, &(bristle_plot){ .title = "Shaded",
                                          .x = { "time", "s", 0 },
                                          .y = { "force", "N", 0 },
                                          .series_count = 1,
                                          .series = series,
                                          .span_count = 2,
                                          .spans = spans,
                                          .span_name = "sticks" });
  char *page = written(r, "a.html");
  CHECK(strstr(page, "<section id=\"second_2\">") && strstr(page, "<a href=\"#first-one\">"), "no names");
  CHECK(occurrences(page, "class=\"thumbs\"") == 2, "not two chapters");
  const char *found = strstr(page, "What was found."), *contents = strstr(page, "<nav");
  CHECK(found && contents && found < contents, "the contents come first");
  CHECK(occurrences(page, "<rect class=\"span\"") == 2, "no shades");
  CHECK(strstr(page, "\"spans\":[0.5,1,1.5,9]"), "no shades in the data");
  CHECK(strstr(page, "sticks") && strstr(page, "line wide c0"), "no legend, or not wide");
  free(page);
  r = bristle_report_new("Names");
  bristle_report_section_named(r, "A section", "not \"good\"");
  page = written(r, "a.html");
  CHECK(strstr(page, "is no name of a section"), "%s", page);
  free(page);
}
