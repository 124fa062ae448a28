/* The family of formats. */
#include "parts.h"

#include <string.h>

#ifndef FORMATS_DEF
#define FORMATS_DEF "formats.def"
#endif

#define BRIDGE_FORMAT(name) extern const bridge_format format_##name;
#include FORMATS_DEF
#undef BRIDGE_FORMAT

static const bridge_format *const formats[] = {
#define BRIDGE_FORMAT(name) &format_##name,
#include FORMATS_DEF
#undef BRIDGE_FORMAT
};

int bridge_format_count(void) { return sizeof formats / sizeof *formats; }
const bridge_format *bridge_format_at(int index) { return formats[index]; }

const bridge_format *bridge_format_find(const char *name)
{
  for (int i = 0; i < bridge_format_count(); i++)
    if (!strcmp(formats[i]->name, name)) return formats[i];
  return NULL;
}

static bristle_fault_kind refuse(const bridge_format *f, const char *option, bristle_fault *fault)
{
  return bridge_fault(fault, BRISTLE_FAULT_VALUE, "`bristle export --help` lists what each format takes",
                      "the format %s does not take %s", f->name, option);
}

static int ends_in(const char *path, const char *ending)
{
  const size_t length = strlen(path), tail = strlen(ending);
  return length > tail && !strcmp(path + length - tail, ending);
}

bristle_fault_kind bridge_check(const bridge_format *f, const bridge_request *q, bristle_fault *fault)
{
  const size_t length = strlen(q->output);
  if (q->single && !(f->options & BRIDGE_SINGLE)) return refuse(f, "--float32", fault);
  if (q->sample_time > 0 && !(f->options & BRIDGE_SAMPLE_TIME)) return refuse(f, "--sample-time", fault);
  if (q->compensate && !(f->options & BRIDGE_COMPENSATE)) return refuse(f, "--compensate", fault);
  if (q->shape && !(f->options & BRIDGE_SHAPE)) return refuse(f, "--shape", fault);
  if (q->load > 0 && !(f->options & BRIDGE_LOAD)) return refuse(f, "--load", fault);
  if (q->data && !(f->options & BRIDGE_DATA)) return refuse(f, "--data", fault);
  if (q->set && q->set[0] && (f->options & BRIDGE_LAWS)) return refuse(f, "--set", fault);
  if (length > 480) return bridge_fault(fault, BRISTLE_FAULT_FILE, NULL, "the name of the output is too long");
  char own[32]; /* axis.urdf and axis.sdf are XML, too */
  snprintf(own, sizeof own, ".%s", f->name);
  if (ends_in(q->output, f->ending) || (!strcmp(f->ending, ".xml") && ends_in(q->output, own)))
    return BRISTLE_FAULT_NONE;
  char hint[100];
  snprintf(hint, sizeof hint, "choose a name that ends in %s", f->ending);
  bridge_fault(fault, BRISTLE_FAULT_FILE, hint, "%s is not the name of what --to %s writes", q->output, f->name);
  return BRISTLE_FAULT_FILE;
}

bristle_fault_kind bridge_export(const bridge_format *format, const bridge_request *q, bridge_result *r,
                                 bristle_fault *fault)
{
  memset(r, 0, sizeof *r);
  const bristle_fault_kind kind = bridge_check(format, q, fault);
  if (kind || format->write(q, r, fault)) return fault->kind;
  if (q->friction) bridge_tell_defaults(q, r);
  return BRISTLE_FAULT_NONE;
}
