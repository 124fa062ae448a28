/* manifest.json of a folder with results: what the columns are, and in the end the digest of every chunk. */
#include "sweep/sweep.h"

#include "io/files.h"

#include <stdlib.h>

enum { MOST_SERIES = 100000000 };

static const char *const kinds[] = { "key", "status", "redraws", "quantity", "series" };

static void manifest_path(const char *folder, char path[4200])
{
  snprintf(path, 4200, "%.4000s/manifest.json", folder);
}

/* ---- writing ---- */

static void write_column(const bristle_sweep_column *c, FILE *out)
{
  bristle_json_print(out, "    {'name': %s, 'unit': %s, 'kind': %s", c->name, c->unit, kinds[c->kind]);
  if (c->kind == BRISTLE_SWEEP_SERIES) bristle_json_print(out, ", 'rows': %zu", c->count);
  if (c->is_log) fputs(", \"log\": true", out);
  if (c->text) {
    fputs(", \"texts\": [", out);
    for (size_t i = 0; i < c->values; i++) bristle_json_print(out, i ? ", %s" : "%s", c->text[i]);
    fputs("]", out);
  } else if (c->values) {
    fputs(", \"values\": ", out);
    bristle_json_numbers(out, c->grid, c->values);
  }
  fputs("}", out);
}

static void put_manifest(const bristle_sweep *s, const char *digests, FILE *out)
{
  bristle_json_print(
      out, "{\n  'bristle_sweep': 1,\n  'note': 'written by bristle',\n  'version': %s,\n  'spec_sha256': %s,\n",
      BRISTLE_VERSION, s->digest);
  if (s->title) bristle_json_print(out, "  'title': %s,\n", s->title);
  if (s->scenario) bristle_json_print(out, "  'scenario': %s,\n", s->scenario);
  bristle_json_print(out, "  'sampling': %s,\n", s->sampling);
  fprintf(out, "  \"runs\": %llu,\n  \"chunk\": %llu,\n  \"chunks\": %llu,\n  \"seed\": %llu,\n", s->runs, s->chunk,
          s->chunks, s->seed);
  bristle_json_print(out, "  'drawn': %d,\n  'indices': %i,\n  'columns': [\n", s->drawn, s->indices);
  for (size_t i = 0; i < s->columns; i++) {
    write_column(&s->column[i], out);
    fputs(i + 1 < s->columns ? ",\n" : "\n", out);
  }
  fputs("  ],\n  \"sha256\": [", out);
  for (unsigned long long k = 0; digests && k < s->chunks; k++)
    fprintf(out, "%s\n    \"%s\"", k ? "," : "", digests + 65 * k);
  fputs("]\n}\n", out);
}

bristle_fault_kind sweep_manifest_write(const bristle_sweep *s, const char *folder, const char *digests,
                                        bristle_fault *fault)
{
  char path[4200];
  bristle_output *output;
  manifest_path(folder, path);
  files_rewriting(path); /* once at the start, once with the digests */
  const bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_EXPORT, &output, fault);
  if (kind) return kind;
  put_manifest(s, digests, bristle_output_stream(output));
  return bristle_output_commit(output, fault);
}

/* ---- reading ---- */

/* this process may write it as well */
static bristle_fault_kind open_manifest(const char *folder, bristle_document **document, bristle_fault *fault)
{
  char path[4200], *bytes;
  size_t size;
  manifest_path(folder, path);
  bristle_fault_kind kind = read_own(path, &bytes, &size, fault);
  if (kind == BRISTLE_FAULT_FILE) {
    fault_set(fault, kind, "name the folder that -o of a sweep named", "there is no manifest of a sweep");
    return fault_at(fault, path, 0, 0);
  }
  if (!kind) kind = bristle_document_parse(path, bytes, size, document, fault);
  free(bytes);
  return kind;
}

static bristle_fault_kind read_count(const bristle_node *root, const char *key, unsigned long long *value,
                                     bristle_fault *fault)
{
  const bristle_node *node;
  double number = 0;
  bristle_fault_kind kind = bristle_node_need(root, key, key, &node, fault);
  if (!kind) kind = bristle_node_number(node, "1", &number, NULL, fault);
  if (!kind && !(number >= 0 && number <= 9007199254740992.0))
    kind = bristle_node_fault(node, fault, NULL, "no count of a sweep");
  *value = kind ? 0 : (unsigned long long)number;
  return kind;
}

static char *keep_text(bristle_sweep *s, const char *text)
{
  char *copy = memory_take(&s->inside->list, strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

static bristle_fault_kind read_values(bristle_sweep *s, const bristle_node *list, int texts, bristle_sweep_column *c,
                                      bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  if (kind) return kind;
  double *grid = memory_take(&s->inside->list, (list->count + 1) * sizeof *grid);
  const char **text = memory_take(&s->inside->list, (list->count + 1) * sizeof *text);
  if (!grid || !text) return fault_memory(fault);
  size_t i = 0;
  for (const bristle_node *n = list->child; n && !kind; n = n->next, i++) {
    grid[i] = (double)i;
    if (texts) kind = bristle_node_text(n, &text[i], fault);
    else kind = bristle_node_number(n, "1", &grid[i], NULL, fault);
    if (texts && !kind && !(text[i] = keep_text(s, text[i]))) return fault_memory(fault);
  }
  c->values = list->count, c->grid = grid, c->text = texts ? text : NULL;
  return kind;
}

static bristle_fault_kind read_column(bristle_sweep *s, const bristle_node *map, bristle_sweep_column *c,
                                      bristle_fault *fault)
{
  const bristle_node *node, *values = bristle_node_find(map, "values"), *texts = bristle_node_find(map, "texts");
  const char *text;
  int kind_of = 0;
  unsigned long long rows = 1;
  bristle_fault_kind kind = bristle_node_need(map, "name", "name", &node, fault);
  if (!kind && !(kind = bristle_node_text(node, &text, fault))) snprintf(c->name, sizeof c->name, "%s", text);
  if (!kind) kind = bristle_node_need(map, "unit", "unit", &node, fault);
  if (!kind) snprintf(c->unit, sizeof c->unit, "%s", node->kind == BRISTLE_NODE_SCALAR ? node->text : "");
  if (!kind) kind = bristle_node_need(map, "kind", "kind", &node, fault);
  if (!kind) kind = bristle_node_choice(node, "key|status|redraws|quantity|series", &kind_of, fault);
  if (!kind && bristle_node_find(map, "log"))
    kind = bristle_node_flag(bristle_node_find(map, "log"), &c->is_log, fault);
  if (!kind && bristle_node_find(map, "rows")) kind = read_count(map, "rows", &rows, fault);
  if (!kind && (rows < 1 || rows > MOST_SERIES)) kind = bristle_node_fault(map, fault, NULL, "no length of a series");
  c->kind = (bristle_sweep_kind)kind_of, c->count = (size_t)rows;
  if (!kind && texts) kind = read_values(s, texts, 1, c, fault);
  if (!kind && values) kind = read_values(s, values, 0, c, fault);
  return kind;
}

/* ---- is it one that this library could have written? ---- */

/* keys, one status, perhaps redraws, quantities, series: readers of rows rely on this order */
static int columns_agree(const bristle_sweep *s)
{
  size_t of[BRISTLE_SWEEP_SERIES + 1] = { 0 };
  for (size_t i = 0; i < s->columns; i++) {
    const bristle_sweep_column *c = &s->column[i];
    of[c->kind]++;
    if (i && c->kind < s->column[i - 1].kind) return 0;
    if (c->kind != BRISTLE_SWEEP_SERIES && c->count != 1) return 0;
    if (c->kind != BRISTLE_SWEEP_KEY ? c->text || c->values : c->text && !c->values) return 0;
  }
  const size_t keys = of[BRISTLE_SWEEP_KEY], drawn = (size_t)s->drawn;
  return keys >= 1 && keys <= SWEEP_KEYS && of[BRISTLE_SWEEP_STATUS] == 1 && of[BRISTLE_SWEEP_REDRAWS] <= 1
         && (s->indices ? drawn == keys : drawn <= keys);
}

static int counts_agree(const bristle_sweep *s)
{
  const double bytes = (double)s->chunk * (double)s->width * sizeof(double);
  return s->runs >= 1 && s->runs <= 1000000000000ull && s->chunk >= 1 && s->chunk <= s->runs
         && s->chunks == (s->runs + s->chunk - 1) / s->chunk && bytes < 1099511627776.0;
}

static bristle_fault_kind read_columns(bristle_sweep *s, const bristle_node *list, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  bristle_sweep_column *c = memory_take(&s->inside->list, SWEEP_COLUMNS * sizeof *c);
  if (!kind && !c) kind = fault_memory(fault);
  s->column = c;
  if (!kind && list->count <= SWEEP_COLUMNS) {
    for (const bristle_node *n = list->child; n && !kind; n = n->next)
      kind = read_column(s, n, &c[s->columns++], fault);
    if (!kind) kind = sweep_list_columns(s, fault);
  }
  if (!kind && (!columns_agree(s) || !counts_agree(s)))
    kind = bristle_node_fault(list, fault, "run the sweep again: it writes the manifest", "the counts do not agree");
  return kind;
}

/* the digests of all chunks, where the sweep came to its end */
static bristle_fault_kind read_sums(bristle_sweep *s, const bristle_node *list, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  if (kind || !list->count) return kind;
  char *sums = list->count == s->chunks ? memory_take(&s->inside->list, list->count * 65) : NULL, *at = sums;
  if (list->count != s->chunks)
    return bristle_node_fault(list, fault, "run the sweep again: it writes the manifest",
                              "found %zu digests, expected one for each of %llu chunks", list->count, s->chunks);
  if (!sums) return fault_memory(fault);
  for (const bristle_node *n = list->child; n && !kind; n = n->next, at += 65) {
    const char *text;
    kind = bristle_node_text(n, &text, fault);
    if (!kind && strlen(text) != 64) kind = bristle_node_fault(n, fault, NULL, "expected a digest of 64 digits");
    if (!kind) memcpy(at, text, 65);
  }
  s->inside->sums = sums;
  return kind;
}

static bristle_fault_kind read_manifest(bristle_sweep *s, const bristle_node *root, bristle_fault *fault)
{
  const bristle_node *node, *list;
  unsigned long long drawn = 0, version = 0;
  const char *text = "";
  int choice = 0;
  bristle_fault_kind kind = read_count(root, "bristle_sweep", &version, fault);
  if (!kind && version != 1)
    kind = bristle_node_fault(bristle_node_find(root, "bristle_sweep"), fault, "this program is older than the folder",
                              "found version %llu, expected 1", version);
  if (!kind) kind = bristle_node_need(root, "spec_sha256", "spec_sha256", &node, fault);
  if (!kind) kind = bristle_node_text(node, &text, fault);
  snprintf(s->digest, sizeof s->digest, "%s", text);
  if ((node = bristle_node_find(root, "title")) && !kind) s->title = keep_text(s, node->text ? node->text : "");
  if (!kind) kind = read_count(root, "runs", &s->runs, fault);
  if (!kind) kind = read_count(root, "chunk", &s->chunk, fault);
  if (!kind) kind = read_count(root, "chunks", &s->chunks, fault);
  if (!kind) kind = read_count(root, "seed", &s->seed, fault);
  if (!kind) kind = read_count(root, "drawn", &drawn, fault);
  if (!kind) kind = bristle_node_need(root, "sampling", "sampling", &node, fault);
  if (!kind) kind = bristle_node_choice(node, "grid|random|sobol", &choice, fault);
  s->sampling = choice == 2 ? "sobol" : choice ? "random" : "grid";
  s->drawn = drawn <= SWEEP_KEYS ? (int)drawn : SWEEP_KEYS + 1;
  if (!kind) kind = bristle_node_need(root, "indices", "indices", &node, fault);
  if (!kind) kind = bristle_node_flag(node, &s->indices, fault);
  if (!kind) kind = bristle_node_need(root, "columns", "columns", &list, fault);
  if (!kind) kind = read_columns(s, list, fault);
  if (!kind) kind = bristle_node_need(root, "sha256", "sha256", &list, fault);
  return kind ? kind : read_sums(s, list, fault);
}

bristle_fault_kind bristle_sweep_folder(const char *folder, bristle_sweep **sweep, bristle_fault *fault)
{
  bristle_document *document = NULL;
  bristle_sweep *s = calloc(1, sizeof *s);
  *sweep = NULL;
  if (s) s->inside = calloc(1, sizeof *s->inside);
  if (!s || !s->inside) {
    free(s);
    return fault_memory(fault);
  }
  bristle_fault_kind kind = open_manifest(folder, &document, fault);
  if (!kind) kind = read_manifest(s, bristle_document_root(document), fault);
  bristle_document_free(document);
  if (kind) bristle_sweep_free(s);
  else *sweep = s;
  return kind;
}

/* Is it complete, and what a run would write? Else it is written anew. */
static int is_as_written(const bristle_sweep *s, const char *folder, const char *path)
{
  bristle_sweep *there;
  bristle_fault ignored;
  platform_memory wanted;
  char *bytes;
  size_t size;
  int same = 0;
  if (bristle_sweep_folder(folder, &there, &ignored)) return 0;
  FILE *out = there->inside->sums && there->chunks == s->chunks ? platform_memory_open(&wanted) : NULL;
  if (out) {
    put_manifest(s, there->inside->sums, out);
    const int failed = platform_memory_close(&wanted);
    if (!failed && !read_own(path, &bytes, &size, &ignored)) {
      same = size == wanted.size && !memcmp(bytes, wanted.text, size);
      free(bytes);
    }
    free(wanted.text);
  }
  bristle_sweep_free(there);
  return same;
}

bristle_fault_kind sweep_manifest_compare(const bristle_sweep *s, const char *folder, int *there, bristle_fault *fault)
{
  char path[4200];
  platform_about about;
  bristle_document *document = NULL;
  manifest_path(folder, path);
  *there = 0;
  if (platform_look(path, &about)) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = open_manifest(folder, &document, fault);
  if (kind) return kind;
  const bristle_node *root = bristle_document_root(document), *node = bristle_node_find(root, "spec_sha256");
  if (!node || node->kind != BRISTLE_NODE_SCALAR || strcmp(node->text, s->digest)) {
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "choose another folder, or remove this one",
                     "the folder holds another sweep: the spec, a file that it reads or this tool has changed since");
    fault_at(fault, path, 0, 0);
  }
  bristle_document_free(document);
  *there = !kind && is_as_written(s, folder, path) ? 2 : 1;
  return kind;
}
