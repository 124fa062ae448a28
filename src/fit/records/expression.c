#include "fit/records/expression.h"

#include "maths/elementary.h"

#include <stdlib.h>

typedef struct reader {
  const char *text, *at;
  expression_find find;
  void *context;
  expression *to;
  int height, nested; /* of the stack; of brackets */
  bristle_fault *fault;
} reader;

static const char *const functions[] = { "sin", "cos", "tan", "abs", "sqrt", "exp", "sign" };
static const char letters[] = "sctaqeg"; /* what stands for them in a program */

static const char hint[] = "columns, numbers, + - * / ^ ( ), sin cos tan abs sqrt exp sign, d(column) and dd(column)";

static bristle_fault_kind wrong(reader *r, const char *expected)
{
  char shown[EXCERPT];
  return fault_set(r->fault, BRISTLE_FAULT_SYNTAX, hint, "'%.120s': found '%s', expected %s", r->text,
                   *r->at ? excerpt(r->at, strlen(r->at), shown) : "the end", expected);
}

static void skip(reader *r)
{
  while (*r->at == ' ') r->at++;
}

static bristle_fault_kind emit(reader *r, char what, double number, int place)
{
  r->height += what == '#' || what == 'x' ? 1 : strchr("+-*/^", what) ? -1 : 0;
  if (r->to->steps == EXPRESSION_STEPS || r->height > EXPRESSION_DEPTH)
    return fault_set(r->fault, BRISTLE_FAULT_SYNTAX, "store part of it in a column of the log", "'%.120s' is too long",
                     r->text);
  r->to->step[r->to->steps].what = what;
  r->to->step[r->to->steps].number = number;
  r->to->step[r->to->steps++].place = place;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_sum(reader *r);

static bristle_fault_kind read_closing(reader *r)
{
  skip(r);
  if (*r->at != ')') return wrong(r, "a closing bracket");
  r->at++;
  return BRISTLE_FAULT_NONE;
}

static int is_name(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_.[]#%", c);
}

/* the name at the reader: its start and length */
static size_t take_name(reader *r, const char **name)
{
  skip(r);
  size_t length = 0;
  if (*r->at == '`') {
    *name = r->at + 1;
    length = strcspn(*name, "`");
    r->at = *name + length + ((*name)[length] == '`');
    return length;
  }
  *name = r->at;
  while (r->at[length] && is_name(r->at[length])) length++;
  r->at += length;
  return length;
}

static bristle_fault_kind unknown(reader *r, const char *name, size_t length)
{
  char shown[EXCERPT];
  return fault_set(r->fault, BRISTLE_FAULT_VALUE, hint, "'%.120s': there is no column '%s'", r->text,
                   excerpt(name, length, shown));
}

/* d(column), dd(column) */
static bristle_fault_kind read_derivative(reader *r, int order)
{
  const char *name;
  size_t length = take_name(r, &name);
  if (!length) return wrong(r, "a column: derivatives exist for columns only");
  int place = r->find(r->context, name, length, order);
  if (place < 0) return unknown(r, name, length);
  bristle_fault_kind kind = emit(r, 'x', 0, place);
  return kind ? kind : read_closing(r);
}

static bristle_fault_kind read_name(reader *r)
{
  const char *name;
  size_t length = take_name(r, &name);
  skip(r);
  if (*r->at == '(') {
    r->at++;
    for (int order = 1; order < 3; order++)
      if (length == (size_t)order && !strncmp(name, "dd", length)) return read_derivative(r, order);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
      if (strlen(functions[k]) != length || strncmp(functions[k], name, length)) continue;
      bristle_fault_kind kind = read_sum(r);
      if (!kind) kind = read_closing(r);
      return kind ? kind : emit(r, letters[k], 0, 0);
    }
    return fault_set(r->fault, BRISTLE_FAULT_SYNTAX, hint, "'%.120s': there is no function '%.*s'", r->text,
                     (int)length, name);
  }
  int place = r->find(r->context, name, length, 0);
  for (size_t order = 2; order > 0 && place < 0; order--)
    if (length > order && !strncmp(name, "dd", order))
      place = r->find(r->context, name + order, length - order, (int)order);
  return place < 0 ? unknown(r, name, length) : emit(r, 'x', 0, place);
}

static bristle_fault_kind read_item(reader *r)
{
  skip(r);
  if (*r->at == '(') {
    r->at++;
    if (++r->nested > EXPRESSION_DEPTH) return wrong(r, "fewer brackets");
    bristle_fault_kind kind = read_sum(r);
    r->nested--;
    return kind ? kind : read_closing(r);
  }
  if ((*r->at >= '0' && *r->at <= '9') || *r->at == '.') {
    char *end;
    double number = strtod(r->at, &end);
    if (end == r->at || !isfinite(number)) return wrong(r, "a number");
    r->at = end;
    return emit(r, '#', number, 0);
  }
  if (*r->at == '`' || (*r->at && is_name(*r->at))) return read_name(r);
  return wrong(r, "a column or a number");
}

/* -x^2 is -(x^2), 2^-1 is a half, 2^3^2 is 2^9 */
static bristle_fault_kind read_power(reader *r)
{
  skip(r);
  if (*r->at == '-' || *r->at == '+') {
    const char sign = *r->at++;
    if (++r->nested > EXPRESSION_DEPTH) return wrong(r, "fewer signs");
    bristle_fault_kind kind = read_power(r);
    r->nested--;
    return kind || sign == '+' ? kind : emit(r, 'n', 0, 0);
  }
  bristle_fault_kind kind = read_item(r);
  skip(r);
  if (kind || *r->at != '^') return kind;
  r->at++;
  if (++r->nested > EXPRESSION_DEPTH) return wrong(r, "fewer powers");
  kind = read_power(r);
  r->nested--;
  return kind ? kind : emit(r, '^', 0, 0);
}

static bristle_fault_kind read_product(reader *r)
{
  bristle_fault_kind kind = read_power(r);
  for (skip(r); !kind && (*r->at == '*' || *r->at == '/'); skip(r)) {
    const char what = *r->at++;
    kind = read_power(r);
    if (!kind) kind = emit(r, what, 0, 0);
  }
  return kind;
}

static bristle_fault_kind read_sum(reader *r)
{
  if (++r->nested > EXPRESSION_DEPTH) return wrong(r, "fewer brackets");
  bristle_fault_kind kind = read_product(r);
  for (skip(r); !kind && (*r->at == '+' || *r->at == '-'); skip(r)) {
    const char what = *r->at++;
    kind = read_product(r);
    if (!kind) kind = emit(r, what, 0, 0);
  }
  r->nested--;
  return kind;
}

bristle_fault_kind expression_read(const char *text, expression_find find, void *context, expression *to,
                                   bristle_fault *fault)
{
  reader r = { .text = text, .at = text, .find = find, .context = context, .to = to, .fault = fault };
  to->steps = 0;
  bristle_fault_kind kind = read_sum(&r);
  skip(&r);
  if (!kind && *r.at) kind = wrong(&r, "an operator");
  return kind;
}

static double apply(char what, double x)
{
  switch (what) {
  case 'n':
    return -x;
  case 's':
    return sin(x);
  case 'c':
    return cos(x);
  case 't':
    return tan(x);
  case 'a':
    return fabs(x);
  case 'q':
    return sqrt(x);
  case 'e':
    return exp(x);
  default:
    return (x > 0) - (x < 0);
  }
}

double expression_value(const expression *e, const double *const *column, size_t i)
{
  double stack[EXPRESSION_DEPTH + 2] = { 0 }, *top = stack;
  for (int k = 0; k < e->steps; k++) switch (e->step[k].what) {
    case '#':
      *++top = e->step[k].number;
      break;
    case 'x':
      *++top = column[e->step[k].place][i];
      break;
    case '+':
      top--, top[0] += top[1];
      break;
    case '-':
      top--, top[0] -= top[1];
      break;
    case '*':
      top--, top[0] *= top[1];
      break;
    case '/':
      top--, top[0] /= top[1];
      break;
    case '^':
      top--, top[0] = pow(top[0], top[1]);
      break;
    default:
      *top = apply(e->step[k].what, *top);
    }
  return *top;
}

int expression_jumps(const expression *e)
{
  for (int k = 0; k < e->steps; k++)
    if (e->step[k].what == 'g') return 1;
  return 0;
}
