/* Units: products, quotients and powers of named units with SI prefixes, reduced to dimensions and a factor.
 *
 * The factor is kept as a power of ten and a quotient, so that "0.1 mm" becomes the double next to 0.0001 and
 * "36 km/h" becomes 10 m/s exactly. What could be read in two ways ("N/m*s") is refused. */
#include "io/support.h"

#include "maths/elementary.h"

#define PI 3.14159265358979323846

typedef struct named_unit {
  const char *name;
  int prefixes; /* may be written with k, m, u ... */
  bristle_unit_scale scale;
} named_unit;

/* powers: length, mass, time, current, temperature, angle */
static const named_unit units[] = {
  { "m", 1, { { 1, 0, 0, 0, 0, 0 }, 0, 1, 1 } },
  { "g", 1, { { 0, 1, 0, 0, 0, 0 }, -3, 1, 1 } },
  { "s", 1, { { 0, 0, 1, 0, 0, 0 }, 0, 1, 1 } },
  { "sec", 1, { { 0, 0, 1, 0, 0, 0 }, 0, 1, 1 } },
  { "min", 0, { { 0, 0, 1, 0, 0, 0 }, 0, 60, 1 } },
  { "h", 0, { { 0, 0, 1, 0, 0, 0 }, 0, 3600, 1 } },
  { "N", 1, { { 1, 1, -2, 0, 0, 0 }, 0, 1, 1 } },
  { "Nm", 1, { { 2, 1, -2, 0, 0, 0 }, 0, 1, 1 } },
  { "Nms", 1, { { 2, 1, -1, 0, 0, 0 }, 0, 1, 1 } },
  { "Ns", 1, { { 1, 1, -1, 0, 0, 0 }, 0, 1, 1 } },
  { "Ncm", 0, { { 2, 1, -2, 0, 0, 0 }, -2, 1, 1 } },
  { "Nmm", 0, { { 2, 1, -2, 0, 0, 0 }, -3, 1, 1 } },
  { "kgm", 0, { { 1, 1, 0, 0, 0, 0 }, 0, 1, 1 } },
  { "J", 1, { { 2, 1, -2, 0, 0, 0 }, 0, 1, 1 } },
  { "W", 1, { { 2, 1, -3, 0, 0, 0 }, 0, 1, 1 } },
  { "Pa", 1, { { -1, 1, -2, 0, 0, 0 }, 0, 1, 1 } },
  { "bar", 1, { { -1, 1, -2, 0, 0, 0 }, 5, 1, 1 } },
  { "A", 1, { { 0, 0, 0, 1, 0, 0 }, 0, 1, 1 } },
  { "V", 1, { { 2, 1, -3, -1, 0, 0 }, 0, 1, 1 } },
  { "ohm", 1, { { 2, 1, -3, -2, 0, 0 }, 0, 1, 1 } },
  { "\xce\xa9", 1, { { 2, 1, -3, -2, 0, 0 }, 0, 1, 1 } }, /* capital omega */
  { "K", 1, { { 0, 0, 0, 0, 1, 0 }, 0, 1, 1 } },
  { "Hz", 1, { { 0, 0, -1, 0, 0, 0 }, 0, 1, 1 } },
  { "rad", 1, { { 0, 0, 0, 0, 0, 1 }, 0, 1, 1 } },
  { "deg", 1, { { 0, 0, 0, 0, 0, 1 }, 0, PI, 180 } },
  { "\xc2\xb0", 0, { { 0, 0, 0, 0, 0, 1 }, 0, PI, 180 } }, /* degree sign */
  { "arcmin", 0, { { 0, 0, 0, 0, 0, 1 }, 0, PI, 10800 } },
  { "arcsec", 0, { { 0, 0, 0, 0, 0, 1 }, 0, PI, 648000 } },
  { "rev", 0, { { 0, 0, 0, 0, 0, 1 }, 0, 2 * PI, 1 } },
  { "rpm", 1, { { 0, 0, -1, 0, 0, 1 }, 0, PI, 30 } },
  { "%", 0, { { 0, 0, 0, 0, 0, 0 }, -2, 1, 1 } },
  { "in", 0, { { 1, 0, 0, 0, 0, 0 }, 0, 254, 1e4 } },
  { "ft", 0, { { 1, 0, 0, 0, 0, 0 }, 0, 3048, 1e4 } },
  { "lb", 0, { { 0, 1, 0, 0, 0, 0 }, 0, 45359237, 1e8 } },
  { "lbf", 0, { { 1, 1, -2, 0, 0, 0 }, 0, 4.4482216152605, 1 } },
  { "kgf", 0, { { 1, 1, -2, 0, 0, 0 }, 0, 980665, 1e5 } },
};
enum { UNITS = sizeof units / sizeof *units };

static const struct {
  const char *text;
  int decimal;
} prefixes[] = {
  { "p", -12 }, { "n", -9 }, { "u", -6 }, { "\xc2\xb5", -6 }, { "\xce\xbc", -6 }, { "m", -3 }, { "c", -2 },
  { "d", -1 },  { "h", 2 },  { "k", 3 },  { "M", 6 },         { "G", 9 },         { "T", 12 },
};

static const bristle_unit_scale one = { { 0, 0, 0, 0, 0, 0 }, 0, 1, 1 };

static const named_unit *find_exactly(const char *name, size_t length)
{
  for (int i = 0; i < UNITS; i++)
    if (strlen(units[i].name) == length && !memcmp(units[i].name, name, length)) return &units[i];
  return NULL;
}

static int find_unit(const char *name, size_t length, bristle_unit_scale *scale)
{
  const named_unit *unit = find_exactly(name, length);
  if (unit) {
    *scale = unit->scale;
    return 1;
  }
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t n = strlen(prefixes[i].text);
    if (n >= length || memcmp(prefixes[i].text, name, n)) continue;
    unit = find_exactly(name + n, length - n);
    if (!unit || !unit->prefixes) continue;
    *scale = unit->scale;
    scale->decimal += prefixes[i].decimal;
    return 1;
  }
  return 0;
}

/* ---- the parser ---- */

typedef struct parser {
  const char *start, *p, *end;
  bristle_fault *fault;
  int depth;
} parser;

static int starts(const parser *u, const char *text)
{
  size_t n = strlen(text);
  return (size_t)(u->end - u->p) >= n && !memcmp(u->p, text, n);
}

static int take(parser *u, const char *text)
{
  if (!starts(u, text)) return 0;
  u->p += strlen(text);
  return 1;
}

static void skip_blanks(parser *u)
{
  while (u->p < u->end && (*u->p == ' ' || *u->p == '\t')) u->p++;
}

static bristle_fault_kind broken(parser *u, const char *hint, const char *expected)
{
  char found[EXCERPT], whole[EXCERPT];
  excerpt(u->start, (size_t)(u->end - u->start), whole);
  if (u->p == u->end)
    return fault_set(u->fault, BRISTLE_FAULT_UNIT, hint, "the unit '%s' ends where %s was expected", whole, expected);
  excerpt(u->p, (size_t)(u->end - u->p), found);
  return fault_set(u->fault, BRISTLE_FAULT_UNIT, hint, "in the unit '%s' found '%s', expected %s", whole, found,
                   expected);
}

static bristle_fault_kind unknown_unit(parser *u, const char *name, size_t length)
{
  static const char *const known =
      "m|mm|kg|g|s|ms|min|h|N|kN|Nm|N*m|J|W|Pa|bar|A|V|K|Hz|rad|deg|rpm|rev|um|cm|in|ft|lbf";
  char shown[EXCERPT], hint[120];
  size_t n;
  int near = length > 1 ? word_nearest(known, name, length) : -1;
  const char *word = word_at(known, near < 0 ? 0 : near, &n);
  if (near >= 0) snprintf(hint, sizeof hint, "did you mean '%.*s'?", (int)n, word);
  else snprintf(hint, sizeof hint, "known are m, kg, s, N, A, V, K, rad, deg, rpm, Hz, min and others, with prefixes");
  return fault_set(u->fault, BRISTLE_FAULT_UNIT, hint, "'%s' is no unit", excerpt(name, length, shown));
}

/* ^2, **2, 2, -1, or superscripts; *power stays 1 when there is none */
static bristle_fault_kind parse_power(parser *u, int *power)
{
  static const char *const raised[] = { "\xc2\xb9", "\xc2\xb2", "\xc2\xb3" };
  int marked = take(u, "^") || take(u, "**"), sign = 1;
  if (marked) skip_blanks(u);
  *power = 1;
  if (take(u, "\xe2\x81\xbb")) sign = -1, marked = 1;
  for (int i = 0; i < 3; i++)
    if (take(u, raised[i])) {
      *power = sign * (i + 1);
      return BRISTLE_FAULT_NONE;
    }
  const char *p = u->p;
  if (p < u->end && (*p == '-' || *p == '+')) sign = *p++ == '-' ? -1 : 1;
  if (p >= u->end || *p < '0' || *p > '9')
    return marked ? broken(u, "write powers like m^2 or s^-1", "a whole power") : BRISTLE_FAULT_NONE;
  *power = sign * (*p++ - '0');
  u->p = p;
  if (p < u->end && ((*p >= '0' && *p <= '9') || *p == '.'))
    return broken(u, "write powers like m^2 or s^-1", "a whole power up to 9");
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind raise_unit(parser *u, bristle_unit_scale *total, const bristle_unit_scale *factor, int power)
{
  for (int i = 0; i < BRISTLE_DIMENSIONS; i++) {
    int sum = total->power[i] + factor->power[i] * power;
    if (sum < -99 || sum > 99) return broken(u, NULL, "smaller powers");
    total->power[i] = (signed char)sum;
  }
  total->decimal += factor->decimal * power;
  for (int i = 0; i < power; i++) total->numerator *= factor->numerator, total->denominator *= factor->denominator;
  for (int i = 0; i < -power; i++) total->numerator *= factor->denominator, total->denominator *= factor->numerator;
  if (!(total->numerator < 1e150 && total->denominator < 1e150 && total->decimal > -250 && total->decimal < 250))
    return broken(u, NULL, "a unit of a reasonable size");
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind parse_product(parser *u, bristle_unit_scale *total);

static size_t name_length(const parser *u)
{
  const char *p = u->p;
  while (p < u->end
         && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '%' || (unsigned char)*p >= 0x80)) {
    parser at = { u->start, p, u->end, NULL, 0 }; /* a dot or a superscript ends the name */
    if (starts(&at, "\xc2\xb7") || starts(&at, "\xe2\x8b\x85") || starts(&at, "\xe2\x81\xbb") || starts(&at, "\xc2\xb9")
        || starts(&at, "\xc2\xb2") || starts(&at, "\xc2\xb3"))
      break;
    p++;
  }
  return (size_t)(p - u->p);
}

/* one name, 1, or a product in parentheses, with its power */
static bristle_fault_kind parse_factor(parser *u, bristle_unit_scale *factor, int *power)
{
  bristle_fault_kind kind;
  size_t length = name_length(u);
  *factor = one;
  *power = 1;
  if (take(u, "(")) {
    if (++u->depth > 8) return broken(u, NULL, "fewer parentheses");
    if ((kind = parse_product(u, factor))) return kind;
    u->depth--;
    if (!take(u, ")")) return broken(u, NULL, "')'");
  } else if (length) {
    if (!find_unit(u->p, length, factor)) return unknown_unit(u, u->p, length);
    u->p += length;
  } else if (starts(u, "1") && (u->end - u->p == 1 || ((u->p[1] < '0' || u->p[1] > '9') && u->p[1] != '.'))) {
    u->p++;
    return BRISTLE_FAULT_NONE;
  } else {
    return broken(u, "write units like N/mm, kg*m^2 or 1/s", "the name of a unit");
  }
  return parse_power(u, power);
}

static int take_times(parser *u)
{
  return take(u, "*") || take(u, "\xc2\xb7") || take(u, "\xe2\x8b\x85") || take(u, ".");
}

static bristle_fault_kind parse_product(parser *u, bristle_unit_scale *total)
{
  int divide = u->p == u->start && take(u, "/"), divided = divide, power; /* "/s": the number before it stands for 1 */
  for (;;) {
    bristle_unit_scale factor;
    skip_blanks(u);
    bristle_fault_kind kind = parse_factor(u, &factor, &power);
    if (!kind) kind = raise_unit(u, total, &factor, divide ? -power : power);
    if (kind) return kind;
    skip_blanks(u);
    if (u->p == u->end || *u->p == ')') return BRISTLE_FAULT_NONE;
    divide = take(u, "/");
    if (divided && !divide)
      return broken(u, "write N*s/m or N/(m*s): a product after '/' can be read in two ways", "'/' or the end");
    divided |= divide;
    if (!divide) take_times(u);
  }
}

bristle_fault_kind bristle_unit_read(const char *text, size_t length, bristle_unit_scale *unit, bristle_fault *fault)
{
  parser u = { text, text, text + length, fault, 0 };
  *unit = one;
  while (u.end > u.p && (u.end[-1] == ' ' || u.end[-1] == '\t')) u.end--;
  skip_blanks(&u);
  u.start = u.p;
  if (u.p == u.end) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = parse_product(&u, unit);
  if (kind) return kind;
  return u.p == u.end ? BRISTLE_FAULT_NONE : broken(&u, NULL, "the end of the unit");
}

int bristle_unit_same_dimension(const bristle_unit_scale *a, const bristle_unit_scale *b)
{
  return !memcmp(a->power, b->power, sizeof a->power);
}
