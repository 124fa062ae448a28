/* Laws that become other laws: what their tables say must hold, step by step along random motions. */
#include "support/law.h"

/* a product and quotient of numbers and parameters: "sigma0*p0", "1/g5" */
static double value_of(const contact *c, const char *text)
{
  double value = 1;
  char sign = '*', word[40];
  while (*text) {
    size_t length = strcspn(text, "*/");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    char *end;
    double factor = strtod(word, &end);
    const bristle_row *row = bristle_param_find(c->model->info, word);
    if (*end && !row) {
      CHECK(0, "%s has no parameter '%s'", c->law->name, word);
      return NAN;
    }
    if (*end) factor = c->p[row->first];
    value = sign == '*' ? value * factor : value / factor;
    sign = text[length];
    text += length + (text[length] != '\0');
  }
  return value;
}

/* "a = 0, b = c": values come from `from`, parameters are those of `to` */
static void assign(contact *to, const contact *from, const char *list)
{
  char name[40], text[80];
  int used;
  while (sscanf(list, " %39[A-Za-z0-9_] = %79[^, ]%n", name, text, &used) == 2) {
    CHECK(bristle_param_find(to->model->info, name), "%s has no parameter '%s'", to->law->name, name);
    if (!bristle_param_find(to->model->info, name)) return;
    set(to, name, value_of(from, text));
    list += used;
    while (*list == ',' || *list == ' ') list++;
  }
  CHECK(!*list, "not understood: '%s'", list);
}

static double random_part(unsigned long long *state)
{
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*state >> 11) * 0x1p-53;
}

/* parameters of the same name mean the same; options are left as they are */
static contact other_law(const contact *a, const bristle_reduction *r)
{
  contact b = contact_of(r->law);
  const bristle_info *info = b.model->info;
  for (int k = 0; k < info->param_rows; k++) {
    const bristle_row *same = bristle_param_find(a->model->info, info->param[k].name);
    if (same && same->count == 1 && info->param[k].count == 1) b.p[info->param[k].first] = a->p[same->first];
  }
  assign(&b, a, r->then);
  return b;
}

static void compare(contact a, const bristle_reduction *r, unsigned long long seed)
{
  const bristle_info *info = a.model->info;
  unsigned long long state = seed;
  for (int k = 0; k < info->nparam; k++) { /* the defaults are one set; others must do as well */
    const bristle_row *row = &info->param[0];
    while (k >= row->first + row->count) row++;
    if (row->kind != BRISTLE_ROW_OPTION && a.p[k] < 1e8) a.p[k] *= 1 + 0.2 * random_part(&state);
  }
  assign(&a, &a, r->when);
  contact b = other_law(&a, r);
  bristle_error error;
  CHECK(!bristle_check(a.model, a.p, &error) && !bristle_check(b.model, b.p, &error), "%s: %s is not admissible",
        info->name, error.field);
  double x = 0, h = 1e-3, strongest = 0;
  for (int i = 0; i < 400; i++) {
    double v = 0.05 * pow(random_part(&state), 4) * (random_part(&state) < 0.4 ? -1 : 1);
    bristle_input in = { .v = v, .x = x, .n = 1, .h = h, .load = a.load };
    double fa = a.model->step(a.p, a.s, &in, NULL), fb = b.model->step(b.p, b.s, &in, NULL);
    x += v * h;
    strongest = fmax(strongest, fabs(fb));
    CHECK(fabs(fa - fb) <= 1e-11 * strongest, "%s (%s) gives %.15g, %s %.15g", info->name, r->when, fa, r->law, fb);
    if (!(fabs(fa - fb) <= 1e-11 * strongest)) return;
  }
  CHECK(strongest > 0, "%s: no force was compared", info->name);
}

TEST(a_law_that_becomes_another_is_that_law)
{
  int found = 0;
  for (int i = 0; i < bristle_law_count(); i++) {
    contact c = contact_of(bristle_law_at(i)->name);
    for (int k = 0; k < c.model->info->reductions; k++, found++)
      for (unsigned long long seed = 1; seed <= 5; seed++) compare(c, &c.model->info->reduction[k], seed);
  }
  CHECK(found >= 15, "only %d", found);
}
