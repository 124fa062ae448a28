/* bristle gallery: the classic experiments, a page for each theme, with the numbers that check them. */
#include "common/cli.h"

#include "gallery.h"
#include "common/progress.h"

/* a theme: its figures, its heading, its page */
typedef struct theme {
  const gallery_figure *figures;
  const char *heading, *page;
} theme;
static const theme themes[] = {
  { gallery_static, "Curves over the speed", "speed.html" },
  { gallery_classic, "Classic experiments", "classic.html" },
  { gallery_lugre, "LuGre", "lugre.html" },
  { gallery_hysteresis, "Hysteresis and memory", "hysteresis.html" },
  { gallery_bodies, "Bodies in the plane and in space", "bodies.html" },
  { gallery_arm, "Arms", "arms.html" },
  { gallery_compensation, "Compensation", "compensation.html" },
  { gallery_piatkowski, "Piatkowski: loads and cycle times", "piatkowski.html" },
  { gallery_cristian, "Cristian: starts and stops", "cristian.html" },
  { gallery_sources, "What the sources draw beside their equations", "sources.html" },
};
enum { THEMES = sizeof themes / sizeof *themes };

enum { MOST_FIGURES = 100 }; /* --only may be given that often */

typedef struct request {
  const char *folder, *only[MOST_FIGURES + 1];
  int list, json, numbers;
} request;

typedef struct tally {
  int tell; /* every number, not only those that miss */
  size_t figures, numbers, missed;
  int json;
  double worst; /* part of its tolerance that a number uses up */
  const char *worst_figure, *worst_number;
} tally;

static int is_wanted(const request *q, const gallery_figure *figure)
{
  int named = 0;
  for (const char *const *name = q->only; *name; name++) named |= !strcmp(*name, figure->name);
  return named || !q->only[0];
}

static size_t wanted_in(const request *q, int list)
{
  size_t count = 0;
  for (const gallery_figure *f = themes[list].figures; f->name; f++) count += is_wanted(q, f) != 0;
  return count;
}

static size_t figure_count(const request *q)
{
  size_t count = 0;
  for (int k = 0; k < THEMES; k++) count += wanted_in(q, k);
  return count;
}

static int themes_wanted(const request *q)
{
  int count = 0;
  for (int k = 0; k < THEMES; k++) count += wanted_in(q, k) > 0;
  return count;
}

/* ---- one figure ---- */

static void json_of_number(const gallery_figure *figure, const gallery_number *n, const gallery_result *r, int first)
{
  bristle_json_print(stdout,
                     "%c\n    {'figure': %s, 'number': %s, 'unit': %s, 'computed': %g, 'reference': %s, 'from': %s, "
                     "'agrees': %i}",
                     first ? 0 : ',', figure->name, n->what, n->unit, r->computed, n->reference,
                     gallery_source_text(figure, n), r->within);
}

static void count_number(tally *all, const gallery_figure *figure, const gallery_number *n, const gallery_result *r)
{
  if (all->json) json_of_number(figure, n, r, all->numbers == 0);
  all->numbers++;
  all->missed += !r->within;
  if (!r->within || all->tell)
    fprintf(all->json ? stderr : stdout, "  %s: %s: computed %.10g%s%s, reference %s\n", figure->name, n->what,
            r->computed, strcmp(n->unit, "1") ? " " : "", strcmp(n->unit, "1") ? n->unit : "", n->reference);
  if (!all->worst_figure || r->part > all->worst || r->part != r->part) {
    all->worst = r->part;
    all->worst_figure = figure->name;
    all->worst_number = n->what;
  }
}

static void check_numbers(const gallery_figure *figure, const simulation *runs, gallery_result *results, tally *all)
{
  for (size_t i = 0; i < figure->number_count; i++) {
    const gallery_number *n = &figure->numbers[i];
    results[i] = gallery_check(n, n->measure(runs, n) * (n->times != 0 ? n->times : 1));
    count_number(all, figure, n, &results[i]);
  }
  if (!figure->run_count) return;
  gallery_result *last = &results[figure->number_count];
  *last = gallery_check(&gallery_residual_limit, gallery_residual(figure, runs));
  count_number(all, figure, &gallery_residual_limit, last);
}

/* a figure that is computed, not run */
static int compute_figure(const gallery_figure *figure, bristle_report *report, tally *all)
{
  bristle_fault fault;
  double *values = calloc(figure->number_count, sizeof *values);
  gallery_result *results = calloc(figure->number_count, sizeof *results);
  int code = DONE;
  bristle_report_section_named(report, figure->title, figure->name);
  bristle_report_text(report, figure->text);
  if (!values || !results) code = no_memory();
  else if (figure->compute(report, values, &fault)) code = failure(FAILED, "%s: %s", figure->name, fault.what);
  else {
    for (size_t i = 0; i < figure->number_count; i++) {
      results[i] = gallery_check(&figure->numbers[i], values[i]);
      count_number(all, figure, &figure->numbers[i], &results[i]);
    }
    gallery_numbers(figure, results, report);
    all->figures++;
  }
  free(values);
  free(results);
  return code;
}

static int make_figure(const gallery_figure *figure, const request *q, bristle_report *report, tally *all)
{
  bristle_scenario *scenarios[GALLERY_RUNS] = { NULL };
  simulation *runs = calloc(GALLERY_RUNS, sizeof *runs);
  gallery_result *results = calloc(figure->number_count + 1, sizeof *results);
  int code = runs && results ? gallery_execute(figure, q->folder, scenarios, runs) : no_memory();
  if (!code) {
    check_numbers(figure, runs, results, all);
    gallery_section(figure, runs, results, report);
    all->figures++;
  }
  for (size_t i = 0; i < GALLERY_RUNS; i++) {
    if (runs) simulation_free(&runs[i]);
    bristle_scenario_free(scenarios[i]);
  }
  free(runs);
  free(results);
  return code;
}

/* ---- all of them ---- */

/* none of the files, whose names nobody gave, shall replace one of the user's */
static int reserve_files(const request *q)
{
  char path[4200], file[100];
  int code = DONE;
  for (int k = 0; k < THEMES; k++)
    for (const gallery_figure *f = themes[k].figures; f->name; f++)
      for (size_t run = 0; is_wanted(q, f) && run < f->run_count && !code; run++) {
        gallery_file(f, run, file, sizeof file);
        snprintf(path, sizeof path, "%s/%s", q->folder, file);
        code = reserve_output(path, BRISTLE_OUTPUT_OWN_TABLE);
      }
  for (int k = 0; k < THEMES && !code && themes_wanted(q) > 1; k++)
    if (wanted_in(q, k)) {
      snprintf(path, sizeof path, "%s/%s", q->folder, themes[k].page);
      code = reserve_output(path, BRISTLE_OUTPUT_OWN_PAGE);
    }
  snprintf(path, sizeof path, "%s/index.html", q->folder);
  return code ? code : reserve_output(path, BRISTLE_OUTPUT_OWN_PAGE);
}

static int write_page(const request *q, bristle_report *report, const char *name)
{
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", q->folder, name);
  return finish_page(report, path);
}

/* The first screen of the gallery: what was checked. */
static void add_card(bristle_report *report, const tally *all)
{
  char sentence[200], number[3][32];
  if (all->missed)
    snprintf(sentence, sizeof sentence, "%zu of %zu numbers miss their reference.", all->missed, all->numbers);
  else snprintf(sentence, sizeof sentence, "All %zu numbers agree with their references.", all->numbers);
  snprintf(number[0], 32, "%zu", all->figures);
  snprintf(number[1], 32, "%zu", all->numbers);
  snprintf(number[2], 32, "%zu", all->missed);
  const char *const fact[][2] = { { number[0], "figures" },
                                  { number[1], "numbers checked" },
                                  { number[2], "that miss their reference" } };
  const char *const detail[] = {
    "Classic experiments with friction, run from the scenario files in `examples`. Each figure says what to see, holds "
    "what it computed against a reference, and says where that comes from: a publication, a closed form, an "
    "independent solver, or a limit that was set here. A number agrees when it rounds to the digits of its reference."
  };
  const bristle_card card = { .grade = all->missed ? BRISTLE_GRADE_BAD : BRISTLE_GRADE_GOOD,
                              .word = all->missed ? "Some numbers differ" : "All numbers agree",
                              .sentence = sentence,
                              .details = 1,
                              .detail = detail,
                              .facts = 3,
                              .fact = fact };
  bristle_report_card(report, &card);
  bristle_report_card_facts(report, &card);
}

/* The first page: a list of the figures of each theme, with links to its page. */
static int write_index(const request *q, const tally *all)
{
  bristle_report *report = bristle_report_new("Bristle gallery");
  add_card(report, all);
  for (int k = 0; k < THEMES; k++) {
    if (!wanted_in(q, k)) continue;
    bristle_report_section(report, themes[k].heading);
    for (const gallery_figure *f = themes[k].figures; f->name; f++) {
      char address[120];
      snprintf(address, sizeof address, "%s#%s", themes[k].page, f->name);
      if (is_wanted(q, f)) bristle_report_link(report, address, f->title);
    }
  }
  return write_page(q, report, "index.html");
}

/* the figures of a theme, on a page of its own or, where it is the only theme, on the first page */
static int make_theme(const request *q, int k, tally *all, progress *bar, size_t *done)
{
  const int alone = themes_wanted(q) == 1;
  bristle_report *report = bristle_report_new(themes[k].heading);
  int code = DONE;
  if (!alone) bristle_report_link(report, "index.html", "All themes");
  if (wanted_in(q, k) > 1) bristle_report_chapter(report, themes[k].heading);
  for (const gallery_figure *f = themes[k].figures; f->name && !code; f++) {
    if (!is_wanted(q, f)) continue;
    code = f->compute ? compute_figure(f, report, all) : make_figure(f, q, report, all);
    progress_show(bar, (double)++*done / (double)figure_count(q));
  }
  if (code) bristle_report_free(report);
  else code = write_page(q, report, alone ? "index.html" : themes[k].page);
  return code;
}

static int make_gallery(const request *q)
{
  tally all = { .tell = q->numbers, .json = q->json };
  size_t done = 0;
  int code = make_folder(q->folder);
  if (!code) code = reserve_files(q);
  if (code) return code;
  if (q->json) printf("{\n  \"numbers\": [");
  progress bar = progress_start("gallery");
  for (int k = 0; k < THEMES && !code; k++)
    if (wanted_in(q, k)) code = make_theme(q, k, &all, &bar, &done);
  progress_end(&bar);
  if (!code && q->json) printf("\n  ],\n  \"figures\": %zu,\n  \"missed\": %zu\n}\n", all.figures, all.missed);
  if (!code && !q->json)
    printf("%zu figure%s, %zu numbers checked, %zu missed; worst: %s (%s) uses %.2g of its tolerance\n", all.figures,
           all.figures == 1 ? "" : "s", all.numbers, all.missed, all.worst_figure, all.worst_number, all.worst);
  if (!code && themes_wanted(q) > 1) code = write_index(q, &all);
  if (!code && !q->json) printf("  page       %s/index.html\n", q->folder);
  if (!code && all.missed) code = failure(UNCONVINCING, "%zu numbers miss their reference", all.missed);
  return code ? code : finish_output(stdout);
}

static int list_figures(void)
{
  for (int k = 0; k < THEMES; k++)
    for (const gallery_figure *f = themes[k].figures; f->name; f++) printf("%-22s %s\n", f->name, f->title);
  return finish_output(stdout);
}

static int is_known(const char *name)
{
  for (int k = 0; k < THEMES; k++)
    for (const gallery_figure *f = themes[k].figures; f->name; f++)
      if (!strcmp(f->name, name)) return 1;
  return 0;
}

static int check(void *asked)
{
  const request *q = asked;
  if (q->list) return DONE;
  if (!q->folder || !*q->folder) return usage_error("no output folder given: use -o FOLDER");
  for (const char *const *name = q->only; *name; name++)
    if (!is_known(*name)) return usage_error("there is no figure '%s'; `bristle gallery --list` shows them", *name);
  return DONE;
}

static int run(void *asked)
{
  const request *q = asked;
  return q->list ? list_figures() : make_gallery(q);
}

static const option options[] = {
  { "-o", "FOLDER", OPTION_FOLDER, IN(request, folder), .help = "where the page goes; made when it does not exist",
    .also = "--output" },
  { "--only", "FIGURE", OPTION_TEXT, IN(request, only), .help = "one figure", .most = MOST_FIGURES },
  { "--list", NULL, OPTION_SWITCH, IN(request, list), .help = "the names of the figures" },
  { "--numbers", NULL, OPTION_SWITCH, IN(request, numbers), .help = "prints every number beside its reference" },
  OPTION_JSON(request, "all numbers with their references and sources, as JSON"),
  OPTIONS_END
};

const verb verb_gallery = {
  .name = "gallery",
  .summary = "the classic experiments as pages, with the numbers that check them",
  .usage = "-o FOLDER [--only FIGURE] [--numbers] [--json]\n--list",
  .about = "Runs the classic experiments that the tool carries with it, and writes FOLDER/index.html, a page for "
           "each theme, and the rows of each run as FOLDER/FIGURE.csv. Each figure compares numbers of its runs with "
           "references and names their source: a publication, a closed form, an independent solver, or a limit set "
           "here. The exit code is 4 where a number misses its reference.",
  .options = options,
  .examples = "bristle gallery -o gallery\n",
  .request = sizeof(request),
  .check = check,
  .run = run,
};
