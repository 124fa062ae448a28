/* The request belongs to the caller, who may forget it; fits come later. So it is copied, with all its texts. */
#include "fit/rigs/rig.h"

#include "io/support.h"

typedef struct copying {
  memory **list;
  int failed;
} copying;

static void *take(copying *c, size_t size)
{
  void *place = memory_take(c->list, size);
  c->failed |= !place;
  return place;
}

static void copy_text(copying *c, const char **text)
{
  char *copy = *text ? take(c, strlen(*text) + 1) : NULL;
  if (copy) strcpy(copy, *text);
  *text = copy;
}

/* `count` texts, and the NULL behind them that some lists end with */
static const char *const *copy_texts(copying *c, const char *const *from, size_t count)
{
  const char **copy = from ? take(c, (count + 1) * sizeof *copy) : NULL;
  for (size_t i = 0; copy && i < count; i++) {
    copy[i] = from[i];
    copy_text(c, &copy[i]);
  }
  return copy;
}

static void copy_reading(copying *c, bristle_log_options *reading)
{
  for (int k = 0; k < BRISTLE_CHANNELS; k++) copy_text(c, &reading->column[k]);
  for (int k = 0; k < BRISTLE_JOINS; k++) copy_text(c, &reading->join[k]);
  for (int k = 0; k < BRISTLE_EXTRAS; k++) copy_text(c, &reading->term[k]);
}

static const bristle_range *copy_ranges(copying *c, const bristle_range *from, int count)
{
  bristle_range *copy = count > 0 ? take(c, (size_t)count * sizeof *copy) : NULL;
  for (int i = 0; copy && i < count; i++) {
    copy[i] = from[i];
    copy_text(c, &copy[i].name);
  }
  return copy;
}

bristle_fault_kind rig_keep_request(rig_fit *r, const bristle_rig_request *from, bristle_fault *fault)
{
  copying c = { &r->list, 0 };
  bristle_rig_request *own = take(&c, sizeof *own);
  size_t sets = 0;
  if (!own) return fault_memory(fault);
  while (from->set && from->set[sets]) sets++;
  *own = *from;
  copy_text(&c, &own->scenario);
  copy_text(&c, &own->compare);
  copy_reading(&c, &own->reading);
  own->set = copy_texts(&c, from->set, sets);
  own->log = copy_texts(&c, from->log, from->logs);
  own->free = copy_ranges(&c, from->free, from->frees);
  r->request = own;
  return c.failed ? fault_memory(fault) : BRISTLE_FAULT_NONE;
}
