/* Options of an identification that are texts: what is known of the balance, which parameters are fixed or free. */
#include "study/study.h"

#include "maths/elementary.h"

static bristle_fault_kind refuse(bristle_fault *fault, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(fault, BRISTLE_FAULT_REQUEST, NULL, format, args);
  va_end(args);
  return BRISTLE_FAULT_REQUEST;
}

/* a quantity, in a fault that names the option */
static bristle_fault_kind read_value(const char *option, const char *text, const char *units, double *value, int *which,
                                     bristle_fault *fault)
{
  bristle_fault inner;
  if (!bristle_quantity_read(text, strlen(text), units, value, which, &inner)) return BRISTLE_FAULT_NONE;
  return refuse(fault, "option %s %s: %s", option, text, inner.what);
}

/* ---- the balance ---- */

/* "free", "none" or a quantity */
static bristle_fault_kind read_term(bristle_study_request *q, int term, const char *option, const char *text,
                                    bristle_fault *fault)
{
  char units[40];
  bristle_term *const known = &q->fitting.term[term];
  double *const value = &q->fitting.term_value[term];
  if (!text) return BRISTLE_FAULT_NONE;
  snprintf(units, sizeof units, "%s|%s", bristle_term_unit(term, 0), bristle_term_unit(term, 1));
  if (term == BRISTLE_TERM_SKEW && !strcmp(text, "levels")) q->skewed_levels = 1;
  else if (!strcmp(text, "free")) *known = BRISTLE_TERM_FREE;
  else if (!strcmp(text, "none")) *known = BRISTLE_TERM_NONE;
  else {
    *known = BRISTLE_TERM_GIVEN;
    if (read_value(option, text, units, value, NULL, fault)) return BRISTLE_FAULT_REQUEST;
    if (term == BRISTLE_TERM_MASS && !(*value >= 0))
      return refuse(fault, "option %s %s: it must not be negative", option, text);
  }
  if (term == BRISTLE_TERM_GRAVITY) /* an angle that is free has its zero anywhere */
    q->fitting.term[BRISTLE_TERM_GRAVITY_COSINE] = *known == BRISTLE_TERM_FREE ? BRISTLE_TERM_FREE : BRISTLE_TERM_NONE;
  return BRISTLE_FAULT_NONE;
}

/* the same of a decay; of two units, linear first */
static bristle_fault_kind read_known(bristle_decay_options *o, const char *option, const char *text, const char *units,
                                     bristle_known *known, double *value, bristle_fault *fault)
{
  int which = -1;
  if (!text) return BRISTLE_FAULT_NONE;
  if (!strcmp(text, "free")) *known = BRISTLE_FREE;
  else if (!strcmp(text, "none")) *known = BRISTLE_ABSENT;
  else {
    *known = BRISTLE_KNOWN;
    if (read_value(option, text, units, value, &which, fault)) return BRISTLE_FAULT_REQUEST;
    if (!(*value > 0)) return refuse(fault, "option %s is %g, and must be above 0", option, *value);
    if (which >= 0) o->units = which ? BRISTLE_DECAY_ROTARY : BRISTLE_DECAY_LINEAR;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_decay(bristle_study_request *q, const bristle_study_words *w, const char *body,
                                     const char *mass, bristle_fault *fault)
{
  bristle_decay_options *o = &q->decay;
  if (mass && !strcmp(mass, "none")) return refuse(fault, "the mass cannot be 'none' (option %s)", body);
  if (read_known(o, body, mass, "kg|kg*m^2", &o->mass, &o->mass_value, fault)
      || read_known(o, "gravity", w->gravity, "N|N*m", &o->gravity, &o->gravity_value, fault))
    return BRISTLE_FAULT_REQUEST;
  return read_known(o, "stiffness", w->stiffness, "N/m|N*m/rad", &o->stiffness, &o->stiffness_value, fault);
}

static bristle_fault_kind read_balance(bristle_study_request *q, const bristle_study_words *w, bristle_fault *fault)
{
  const char *const body = w->inertia ? "inertia" : "mass", *const mass = w->inertia ? w->inertia : w->mass;
  q->skew_is_given = w->skew != NULL;
  if (read_term(q, BRISTLE_TERM_OFFSET, "offset", w->offset, fault)
      || read_term(q, BRISTLE_TERM_SKEW, "skew", w->skew, fault))
    return BRISTLE_FAULT_REQUEST;
  if (q->free_decay) return read_decay(q, w, body, mass, fault);
  if (read_term(q, BRISTLE_TERM_MASS, body, mass, fault)
      || read_term(q, BRISTLE_TERM_GRAVITY, "gravity", w->gravity, fault))
    return BRISTLE_FAULT_REQUEST;
  for (int k = 0; k < BRISTLE_ASKED && q->reading.term[k]; k++)
    q->fitting.term[BRISTLE_TERM_EXTRA + k] = BRISTLE_TERM_FREE;
  return BRISTLE_FAULT_NONE;
}

/* ---- parameters ---- */

/* "name" or "name=value"; the name is cut out of the text */
static bristle_fault_kind read_fixed(bristle_study_request *q, char *text, int at, bristle_fault *fault)
{
  char *equals = strchr(text, '='), *end;
  if (equals) *equals = '\0';
  for (int k = 0; k < at; k++)
    if (!strcmp(q->fitting.fixed[k], text)) return refuse(fault, "option fix %s is given twice", text);
  q->fitting.fixed[at] = text;
  q->fitting.fixed_value[at] = (double)NAN;
  if (!equals) return BRISTLE_FAULT_NONE;
  q->fitting.fixed_value[at] = strtod(equals + 1, &end);
  if (equals[1] && !*end && isfinite(q->fitting.fixed_value[at])) return BRISTLE_FAULT_NONE;
  return refuse(fault, "option fix %s: '%s' is no number", text, equals + 1);
}

/* "mass", "mass=0.5..2" */
static bristle_fault_kind read_free(bristle_study_request *q, bristle_study_words *w, char *text, bristle_fault *fault)
{
  bristle_range *range = &w->range[q->frees];
  char *equals = strchr(text, '='), *dots = equals ? strstr(equals, "..") : NULL, *end;
  if (!strcmp(text, "start")) {
    q->free_start = 1;
    return BRISTLE_FAULT_NONE;
  }
  *range = (bristle_range){ text, (double)NAN, (double)NAN, (double)NAN };
  q->free = w->range;
  q->frees++;
  if (!equals) return BRISTLE_FAULT_NONE;
  if (dots) range->lo = strtod(equals + 1, &end);
  if (!dots || end != dots || end == equals + 1)
    return refuse(fault, "option free %s: write a range as NAME=LO..HI, in the unit that the file has", text);
  range->hi = strtod(dots + 2, &end);
  if (*end || end == dots + 2 || !(range->lo < range->hi))
    return refuse(fault, "option free %s: write a range as NAME=LO..HI, rising", text);
  *equals = '\0';
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_names(bristle_study_request *q, bristle_study_words *w, bristle_fault *fault)
{
  int names = 0;
  for (int k = 0; w->fix[k]; k++)
    if (read_fixed(q, w->fix[k], k, fault)) return BRISTLE_FAULT_REQUEST;
  for (int k = 0; w->free[k]; k++) {
    if (!q->rig && !strchr(w->free[k], '=')) q->fitting.free[names++] = w->free[k];
    else if (read_free(q, w, w->free[k], fault)) return BRISTLE_FAULT_REQUEST;
    for (int j = 0; w->fix[j] && !q->rig; j++)
      if (!strcmp(w->fix[j], w->free[k]))
        return refuse(fault, "option fix %s and option free %s: only one of them can be given", w->fix[j], w->free[k]);
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_study_ask(bristle_study_request *request, bristle_study_words *words, bristle_fault *fault)
{
  const bristle_fault_kind kind = read_names(request, words, fault);
  return kind ? kind : read_balance(request, words, fault);
}
