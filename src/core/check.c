/* Parameter tables: defaults, look-up, units, load forms, and the checks of values against them. */
#include "bristle/vector.h"
#include "core/check.h"

void bristle_defaults(const bristle_info *info, double *p)
{
  for (int r = 0; r < info->param_rows; r++)
    for (int i = 0; i < info->param[r].count; i++) p[info->param[r].first + i] = info->param[r].initial[i];
}

const bristle_row *bristle_param_find(const bristle_info *info, const char *name)
{
  for (int r = 0; r < info->param_rows; r++) {
    const char *a = info->param[r].name, *b = name;
    while (*a && *a == *b) a++, b++;
    if (*a == *b) return &info->param[r];
  }
  return NULL;
}

const bristle_row *bristle_param_role(const bristle_info *info, bristle_role role)
{
  for (int r = 0; r < info->param_rows; r++)
    if (info->param[r].role == role) return &info->param[r];
  return NULL;
}

const bristle_row *bristle_param_at(const bristle_info *info, int place)
{
  for (int r = 0; r < info->param_rows; r++)
    if (place >= info->param[r].first && place < info->param[r].first + info->param[r].count) return &info->param[r];
  return NULL;
}

/* ---- units ----
   Units in the tables are products and quotients of N, m, s and 1: "N", "N/m", "N*s/m", "1/m", "m/s". */

typedef struct unit {
  int newton, metre, second;
} unit;

static unit parse_unit(const char *text)
{
  unit u = { 0, 0, 0 };
  int sign = 1;
  for (; *text; text++) {
    int power = sign * (text[1] == '^' ? text[2] - '0' : 1);
    if (*text == 'N') u.newton += power;
    if (*text == 'm') u.metre += power;
    if (*text == 's') u.second += power;
    if (*text == '/') sign = -1;
  }
  return u;
}

typedef struct writer {
  char *text;
  size_t size, used;
} writer;

static void put(writer *w, const char *text)
{
  for (; *text; text++)
    if (w->used + 1 < w->size) w->text[w->used++] = *text;
}

static void put_factors(writer *w, const char *const names[4], const int powers[4], int sign)
{
  int first = 1;
  for (int i = 0; i < 4; i++) {
    int n = sign * powers[i];
    if (n <= 0) continue;
    char power[3] = { '^', (char)('0' + n), 0 };
    put(w, first ? "" : sign > 0 ? "*" : "/");
    put(w, names[i]);
    if (n > 1) put(w, power);
    first = 0;
  }
  if (first && sign > 0) put(w, "1");
}

void bristle_unit(const bristle_row *row, bristle_load load, int rotary, char *text, size_t size)
{
  unit u = parse_unit(row->unit);
  int scaled = load == BRISTLE_LOAD_COEFFICIENT
               || (load == BRISTLE_LOAD_LEVEL && row->unit[0] == 'N' && row->unit[1] == '\0');
  if (scaled) u.newton = 0;
  /* a torque is N*m and an angle rad: the lever m comes with the force, the displacement becomes an angle */
  const char *const names[4] = { "N", "m", "s", "rad" };
  const int powers[4] = { u.newton, rotary ? u.newton : u.metre, u.second, rotary ? u.metre : 0 };
  writer w = { text, size, 0 };
  put_factors(&w, names, powers, 1);
  for (int i = 0; i < 4; i++)
    if (powers[i] < 0) {
      put(&w, "/");
      put_factors(&w, names, powers, -1);
      break;
    }
  if (size) text[w.used] = '\0';
}

/* ---- load forms ---- */

/* the factor from the load form to force form at the load n */
static double load_factor(const bristle_row *row, bristle_load load, double n)
{
  int newton = parse_unit(row->unit).newton;
  int level = row->unit[0] == 'N' && row->unit[1] == '\0';
  if (load == BRISTLE_LOAD_COEFFICIENT) return newton > 0 ? n : newton < 0 ? 1 / n : 1;
  if (load == BRISTLE_LOAD_LEVEL) return level ? n : 1;
  return 1;
}

void bristle_convert(const bristle_info *info, const double *from, bristle_load from_load, double *to,
                     bristle_load to_load, double n)
{
  for (int r = 0; r < info->param_rows; r++) {
    const bristle_row *row = &info->param[r];
    double in = load_factor(row, from_load, n), out = load_factor(row, to_load, n);
    for (int i = row->first; i < row->first + row->count; i++) to[i] = in == out ? from[i] : from[i] * in / out;
  }
}

/* ---- checks ---- */

static int is_whole(double x) { return x == (double)(long)x; }

static bristle_status check_parameters(const bristle_info *info, int (*rules)(const double *, bristle_breach *, int),
                                       const double *p, bristle_error *error)
{
  for (int r = 0; r < info->param_rows; r++) {
    const bristle_row *row = &info->param[r];
    for (int i = 0; i < row->count; i++) {
      double value = p[row->first + i];
      bristle_error what = { BRISTLE_STATUS_OK,       info->name, row->name, NULL,
                             row->count > 1 ? i : -1, value,      row->lo,   row->hi };
      if (!is_finite(value)) what.status = BRISTLE_STATUS_NOT_FINITE;
      else if (value < row->lo || value > row->hi) what.status = BRISTLE_STATUS_OUT_OF_RANGE;
      else if (row->kind == BRISTLE_ROW_OPTION && !is_whole(value)) what.status = BRISTLE_STATUS_NOT_WHOLE;
      if (what.status) return refuse_with(error, what);
    }
  }
  bristle_breach breach;
  if (rules(p, &breach, 1)) {
    bristle_error what = { BRISTLE_STATUS_RULE_BROKEN, info->name, breach.param, breach.rule, -1, breach.value, 0, 0 };
    return refuse_with(error, what);
  }
  return BRISTLE_STATUS_OK;
}

static bristle_status missing(const char *law, const char *field, bristle_error *error)
{
  const bristle_error what = { BRISTLE_STATUS_RULE_BROKEN, law, field, "the pointer must not be NULL", -1, 0, 0, 0 };
  return refuse_with(error, what);
}

bristle_status bristle_check(const bristle_model *model, const double *p, bristle_error *error)
{
  if (!model || !p) return missing(model ? model->info->name : "bristle_check", model ? "p" : "model", error);
  return check_parameters(model->info, model->rules, p, error);
}

bristle_status bristle_vector_check(const bristle_vector_model *model, const double *p, bristle_error *error)
{
  if (!model || !p) return missing(model ? model->info->name : "bristle_vector_check", model ? "p" : "model", error);
  return check_parameters(model->info, model->rules, p, error);
}

static bristle_status check_rule(const bristle_model *model, int kept, const char *field, double value,
                                 const char *rule, bristle_error *error)
{
  const bristle_error what = { BRISTLE_STATUS_RULE_BROKEN, model->info->name, field, rule, -1, value, 0, 0 };
  return kept ? BRISTLE_STATUS_OK : refuse_with(error, what);
}

/* The load may be negative in the form `force` only, which ignores it, or, in a gear, reads it as a torque. */
bristle_status bristle_check_input(const bristle_model *model, const bristle_input *in, int step, bristle_error *error)
{
  if (!model || !in) return missing(model ? model->info->name : "bristle_check_input", model ? "in" : "model", error);
  bristle_status status = check_rule(model, (unsigned)in->load <= BRISTLE_LOAD_LEVEL, "load", in->load,
                                     "the load form is force (0), coefficient (1) or level (2)", error);
  if (status) return status;
  const struct {
    const char *name;
    double value;
    int at_least_zero;
  } fields[] = {
    { "v", in->v, 0 }, { "x", in->x, 0 }, { "n", in->n, in->load != BRISTLE_LOAD_FORCE },
    { "f", in->f, 0 }, { "a", in->a, 0 }, { "w", in->w, 1 },
    { "h", in->h, 1 },
  };
  const double largest = 0x1.fffffffffffffp1023;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    bristle_error what = { BRISTLE_STATUS_OK,
                           model->info->name,
                           fields[i].name,
                           NULL,
                           -1,
                           fields[i].value,
                           fields[i].at_least_zero ? 0 : -largest,
                           largest };
    if (!is_finite(what.value)) what.status = BRISTLE_STATUS_NOT_FINITE;
    else if (what.value < what.lo) what.status = BRISTLE_STATUS_OUT_OF_RANGE;
    if (what.status) return refuse_with(error, what);
  }
  return check_rule(model, !step || in->h > 0, "h", in->h, "a step needs a length h > 0", error);
}
