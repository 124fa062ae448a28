/* Records for a model: read and conditioned as those that it was identified from, as far as its file says how. */
#include "lab/identify.h"
#include "bristle/text.h"
#include "fit/records/log.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* ---- the file ---- */

static bristle_fault_kind read_number(const bristle_node *map, const char *key, double *to, bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(map, key);
  return node ? bristle_node_number(node, "1", to, NULL, fault) : BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_flag(const bristle_node *map, const char *key, int *to, bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(map, key);
  return node ? bristle_node_flag(node, to, fault) : BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_columns(const bristle_node *map, bristle_model_reading *to, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(map, BRISTLE_NODE_MAP, fault);
  for (int c = 0; c < BRISTLE_CHANNELS && !kind; c++) {
    const char *text = NULL;
    const bristle_node *node = bristle_node_find(map, bristle_channel_text((bristle_channel)c));
    if (node) kind = bristle_node_text(node, &text, fault);
    if (node && !kind) snprintf(to->column[c], sizeof to->column[c], "%s", text);
  }
  return kind;
}

static bristle_fault_kind read_filter(const bristle_node *map, bristle_conditioning *to, bristle_fault *fault)
{
  const bristle_node *from = bristle_node_find(map, "motion_from");
  const char *text = "position";
  double decimate = 0;
  bristle_fault_kind kind = bristle_node_expect(map, BRISTLE_NODE_MAP, fault);
  if (!kind) kind = read_number(map, "cutoff", &to->cutoff, fault);
  if (!kind) kind = read_number(map, "decimate", &decimate, fault);
  if (!kind) kind = read_flag(map, "presliding", &to->presliding, fault);
  if (!kind) kind = read_flag(map, "dequantised", &to->dequantised, fault);
  if (!kind) kind = read_flag(map, "plain", &to->plain, fault);
  if (!kind && from) kind = bristle_node_text(from, &text, fault);
  if (!kind && !(to->cutoff >= 0 && isfinite(to->cutoff) && decimate >= 0 && decimate < 1e9))
    kind = bristle_node_fault(map, fault, "remove the filter: then it is chosen again",
                              "found a cut-off of %g Hz and a decimation by %g, but neither may be negative",
                              to->cutoff, decimate);
  to->from_velocity = !strcmp(text, "velocity");
  to->decimate = (size_t)fmax(decimate, 0);
  to->known = !kind;
  return kind;
}

static bristle_fault_kind read_digests(const bristle_node *list, bristle_model_reading *to, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  for (const bristle_node *n = kind ? NULL : list->child; n && !kind && to->digests < BRISTLE_MODEL_DIGESTS;
       n = n->next) {
    const char *text = NULL;
    kind = bristle_node_text(n, &text, fault);
    if (!kind) snprintf(to->digest[to->digests++], sizeof to->digest[0], "%.64s", text);
  }
  return kind;
}

static bristle_fault_kind read_origin(const bristle_node *origin, bristle_model_reading *to, bristle_fault *fault)
{
  const bristle_node *read = bristle_node_find(origin, "read"), *digests = bristle_node_find(origin, "sha256");
  const bristle_node *rms = bristle_node_find(origin, "rms");
  bristle_fault_kind kind = digests ? read_digests(digests, to, fault) : BRISTLE_FAULT_NONE;
  if (!kind && rms) kind = bristle_node_number(rms, "N|N*m|m|rad", &to->rms, NULL, fault);
  if (!read || kind) return kind;
  const bristle_node *columns = bristle_node_find(read, "columns"), *filter = bristle_node_find(read, "filter");
  kind = bristle_node_expect(read, BRISTLE_NODE_MAP, fault);
  if (!kind && columns) kind = read_columns(columns, to, fault);
  if (!kind && filter) kind = read_filter(filter, &to->conditioning, fault);
  if (!kind) kind = read_number(read, "lead", &to->lead, fault);
  if (!kind) kind = read_number(read, "radius", &to->radius, fault);
  if (!kind) kind = read_number(read, "rate", &to->rate, fault);
  if (!kind) kind = read_number(read, "delay", &to->delay, fault);
  if (!kind) kind = read_number(read, "from", &to->from, fault);
  if (!kind) kind = read_number(read, "to", &to->to, fault);
  if (!kind) kind = read_flag(read, "inverse", &to->inverse, fault);
  to->known = !kind;
  return kind;
}

bristle_fault_kind bristle_model_reading_read(const char *path, bristle_model_reading *to, bristle_fault *fault)
{
  bristle_document *document;
  const bristle_node *model;
  memset(to, 0, sizeof *to);
  bristle_fault_kind kind = bristle_model_document(path, &document, &model, fault);
  if (kind) return kind;
  const bristle_node *origin = bristle_node_find(model, "identified");
  if (origin && origin->kind == BRISTLE_NODE_MAP) kind = read_origin(origin, to, fault);
  bristle_document_free(document);
  return kind;
}

/* "sigma0", "k[2]": is it in the list? */
static int is_listed(const bristle_node *list, const char *name)
{
  for (const bristle_node *n = list && list->kind == BRISTLE_NODE_LIST ? list->child : NULL; n; n = n->next)
    if (n->kind == BRISTLE_NODE_SCALAR && !strcmp(n->text, name)) return 1;
  return 0;
}

/* {value: 2, unit: N/m, std: 0.1}, relative */
static bristle_fault_kind read_deviation(const bristle_node *map, double *to, bristle_fault *fault)
{
  const bristle_node *std = map ? bristle_node_find(map, "std") : NULL,
                     *value = map ? bristle_node_find(map, "value") : NULL;
  double deviation = 0, number = 0;
  if (!std || !value) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_node_number(std, "1", &deviation, NULL, fault);
  if (!kind) kind = bristle_node_number(value, "1", &number, NULL, fault);
  if (!kind && number != 0) *to = deviation / fabs(number);
  return kind;
}

bristle_fault_kind bristle_model_deviations(const char *path, const bristle_info *info, double *deviation,
                                            bristle_fault *fault)
{
  bristle_document *document;
  const bristle_node *root;
  bristle_fault_kind kind = bristle_model_document(path, &document, &root, fault);
  if (kind) return kind;
  const bristle_node *origin = bristle_node_find(root, "identified");
  const bristle_node *parameters = bristle_node_find(root, "parameters"),
                     *lost = origin && origin->kind == BRISTLE_NODE_MAP ? bristle_node_find(origin, "not_determined")
                                                                        : NULL;
  for (int k = 0; k < info->nparam; k++) deviation[k] = (double)NAN;
  for (int i = 0; i < info->param_rows && !kind; i++) {
    const bristle_row *row = &info->param[i];
    const bristle_node *node = parameters ? bristle_node_find(parameters, row->name) : NULL;
    const bristle_node *value = node && node->kind == BRISTLE_NODE_LIST ? node->child : node;
    for (int k = 0; k < row->count && !kind; k++, value = value ? value->next : NULL) {
      char name[40];
      kind = read_deviation(value, &deviation[row->first + k], fault);
      bristle_param_name(row, k, name, sizeof name);
      if (is_listed(lost, name)) deviation[row->first + k] = HUGE_VAL;
      if (node == value) break; /* one number, whose neighbours are other parameters */
    }
  }
  bristle_document_free(document);
  return kind;
}

int bristle_model_reading_saw(const bristle_model_reading *r, const char *digest)
{
  for (int k = 0; k < r->digests; k++)
    if (digest[0] && !strcmp(r->digest[k], digest)) return 1;
  return 0;
}

/* ---- the record ---- */

static int has_column(const bristle_table *table, int channel, const char *text)
{
  static const char *const units[BRISTLE_CHANNELS] = { "s",     "m|rad", "m/s|rad/s", "m/s^2|rad/s^2",
                                                       "N|N*m", "N|N*m", "1",         "m|rad|m/s|rad/s" };
  log_column found;
  bristle_fault ignored;
  return !strcmp(text, "none") || !log_column_read(table, text, units[channel], &found, &ignored);
}

/* Options that the caller has given stay; columns that the table does not have are recognised. */
static void take_over(const bristle_model_reading *r, const bristle_table *table, const char *digest,
                      bristle_log_options *o)
{
  const int same = bristle_model_reading_saw(r, digest), turned = o->lead > 0 || o->radius > 0;
  if (!(o->rate > 0) && !o->column[BRISTLE_CHANNEL_TIME]) o->rate = r->rate;
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    const char *text = r->column[c];
    if (o->column[c] || !text[0] || (c == BRISTLE_CHANNEL_TIME && o->rate > 0)) continue;
    /* another record may have what this one lacked */
    if (!strcmp(text, "none") && !same && c != BRISTLE_CHANNEL_LOAD) continue;
    if (has_column(table, c, text)) o->column[c] = text;
  }
  if (!turned) o->lead = r->lead, o->radius = r->radius;
  if (!o->keep_delay) o->delay = r->delay;
  o->inverse |= r->inverse;
  if (same && o->from == 0 && o->to == 0) o->from = r->from, o->to = r->to;
}

/* filter and samples as decided then, or by the record itself */
static bristle_fault_kind condition(bristle_log *log, const bristle_conditioning *decided,
                                    const bristle_log_options *options, const bristle_identify_options *terms,
                                    bristle_campaign *report, bristle_fault *fault)
{
  bristle_conditioning like = *decided;
  bristle_log_options reading = *options;
  bristle_identify_options fitting = *terms;
  if (reading.cutoff != 0) like.cutoff = fmax(reading.cutoff, 0);
  if (like.known) reading.like = &like;
  return bristle_campaign_prepare(&log, 1, 1, &reading, &fitting, report, fault);
}

bristle_fault_kind bristle_model_log(const char *path, const bristle_model_reading *r,
                                     const bristle_log_options *options, const bristle_identify_options *terms,
                                     bristle_campaign *report, bristle_log **log, bristle_fault *fault)
{
  bristle_log_options reading = *options;
  const bristle_conditioning *decided = &r->conditioning;
  bristle_table *table;
  char digest[65];
  const int plain = terms->decimate > 0 || decided->plain;
  *log = NULL;
  memset(report, 0, sizeof *report);
  bristle_fault_kind kind = bristle_log_table(path, &reading, &table, digest, fault);
  if (kind) return kind;
  take_over(r, table, digest, &reading);
  if (decided->plain && reading.cutoff == 0) reading.cutoff = decided->cutoff > 0 ? decided->cutoff : -1;
  kind = bristle_log_from_table(table, &reading, log, fault);
  bristle_table_free(table);
  if (kind) return kind;
  memcpy((*log)->digest, digest, sizeof digest);
  if (plain) bristle_log_keep_plain(*log, terms->decimate > 0 ? terms->decimate : decided->decimate);
  else kind = condition(*log, decided, &reading, terms, report, fault);
  if (!kind) return kind;
  bristle_log_free(*log);
  *log = NULL;
  return kind;
}
