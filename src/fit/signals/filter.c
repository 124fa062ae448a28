/* Low-pass filters, run both ways: Butterworth for signals, Chebyshev before samples are left out. */
#include "fit/signals/signal.h"
#include "core/clones.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

/* s^2 + damping s + stiffness, at unit gain at rest, with the frequency 1 mapped to the angle whose half tangent is k
 */
static bristle_section section_of(double damping, double stiffness, double k)
{
  double q = stiffness * k * k, unit = 1 / (1 + damping * k + q);
  return (bristle_section){ q * unit, 2 * q * unit, q * unit, 2 * (q - 1) * unit, (1 - damping * k + q) * unit };
}

bristle_fault_kind bristle_lowpass_design(int order, double cutoff, double rate, bristle_lowpass *filter,
                                          bristle_fault *fault)
{
  if (order < 1 || order > BRISTLE_LOWPASS_ORDER)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "a filter of order %d, expected 1 to %d", order,
                     BRISTLE_LOWPASS_ORDER);
  if (!(rate > 0) || isinf(rate) || !(cutoff > 0) || !(cutoff < rate / 2))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "the cut-off lies between 0 and half the sampling rate",
                     "a cut-off of %g Hz at %g samples per second", cutoff, rate);
  double k = tan(PI * cutoff / rate); /* the bilinear map bends frequencies; this one it leaves in place */
  *filter = (bristle_lowpass){ .order = order, .sections = (order + 1) / 2, .cutoff = cutoff, .rate = rate };
  for (int i = 0; i < order / 2; i++) filter->section[i] = section_of(2 * sin(PI * (2 * i + 1) / (2 * order)), 1, k);
  if (order % 2) filter->section[order / 2] = (bristle_section){ k / (1 + k), k / (1 + k), 0, (k - 1) / (k + 1), 0 };
  return BRISTLE_FAULT_NONE;
}

double bristle_lowpass_gain(const bristle_lowpass *filter, double frequency)
{
  double ratio = tan(PI * frequency / filter->rate) / tan(PI * filter->cutoff / filter->rate);
  return 1 / sqrt(1 + pow(ratio * ratio, filter->order));
}

/* One pass in place, with stride 1 or -1 from `y` on. The memories start as after an endless first sample: the filter
   has unit gain at rest, so each section hands on its input. */
static void run_section(const bristle_section *s, double *y, size_t count, ptrdiff_t stride)
{
  double second = (s->b2 - s->a2) * *y, first = (s->b1 - s->a1) * *y + second;
  for (size_t i = 0; i < count; i++, y += stride) {
    double in = *y, out = s->b0 * in + first;
    first = s->b1 * in - s->a1 * out + second;
    second = s->b2 * in - s->a2 * out;
    *y = out;
  }
}

/* Two of them at once: the second takes what the first gives, and neither waits for the other. */
static void run_pair(const bristle_section *s, double *y, size_t count, ptrdiff_t stride)
{
  const bristle_section a = s[0], b = s[1];
  double second = (a.b2 - a.a2) * *y, first = (a.b1 - a.a1) * *y + second;
  const double begin = a.b0 * *y + first; /* what the second begins with */
  double later = (b.b2 - b.a2) * begin, late = (b.b1 - b.a1) * begin + later;
  for (size_t i = 0; i < count; i++, y += stride) {
    const double in = *y, middle = a.b0 * in + first, out = b.b0 * middle + late;
    first = a.b1 * in - a.a1 * middle + second;
    second = a.b2 * in - a.a2 * middle;
    late = b.b1 * middle - b.a1 * out + later;
    later = b.b2 * middle - b.a2 * out;
    *y = out;
  }
}

static void run_sections(const bristle_lowpass *filter, double *y, size_t count, ptrdiff_t stride)
{
  int i = 0;
  for (; i + 1 < filter->sections; i += 2) run_pair(&filter->section[i], y, count, stride);
  if (i < filter->sections) run_section(&filter->section[i], y, count, stride);
}

/* The record with its odd reflection at both ends, `pad` samples each. */
static void extend(const double *y, size_t count, size_t pad, double *out)
{
  for (size_t i = 0; i < pad; i++) {
    out[i] = 2 * y[0] - y[pad - i];
    out[pad + count + i] = 2 * y[count - 1] - y[count - 2 - i];
  }
  memcpy(out + pad, y, sizeof *y * count);
}

static size_t padding(const bristle_lowpass *filter, size_t count)
{
  double period = ceil(filter->rate / filter->cutoff);
  size_t pad = 3 * ((size_t)filter->order + 1);
  if (period > (double)pad) pad = period < (double)count ? (size_t)period : count;
  return pad < count - 1 ? pad : count - 1;
}

bristle_fault_kind bristle_lowpass_both_ways(const bristle_lowpass *filter, const double *y, size_t count, double *out,
                                             bristle_fault *fault)
{
  bristle_fault_kind kind = signal_check(y, count, fault);
  if (kind || count == 0) return kind;
  size_t pad = padding(filter, count), length = count + 2 * pad;
  double *work = malloc(sizeof *work * length);
  if (!work) return fault_memory(fault);
  extend(y, count, pad, work);
  run_sections(filter, work, length, 1);
  run_sections(filter, work + length - 1, length, -1);
  memcpy(out, work + pad, sizeof *out * count);
  free(work);
  return BRISTLE_FAULT_NONE;
}

/* ---- columns side by side ---- */

/* run_section and run_pair for some columns, sample by sample beside each other; `memory` is what they go on with,
 * LANES numbers each */
#define FILTER_LANES(LANES)                                                                          \
  typedef double lanes_##LANES __attribute__((vector_size(8 * LANES), aligned(8), may_alias));       \
  BRISTLE_CLONES static void run_section_##LANES(const bristle_section *s, double *y, size_t count, ptrdiff_t stride, \
                                                double *memory, int begins)                          \
  {                                                                                                  \
    typedef lanes_##LANES lanes;                                                                     \
    const double b0 = s->b0, b1 = s->b1, b2 = s->b2, a1 = s->a1, a2 = s->a2;                         \
    lanes *m = (lanes *)memory, first = m[0], second = m[1];                                         \
    if (begins) second = (b2 - a2) * *(lanes *)y, first = (b1 - a1) * *(lanes *)y + second;          \
    for (size_t i = 0; i < count; i++, y += stride * LANES) {                                        \
      const lanes in = *(lanes *)y, out = b0 * in + first;                                           \
      first = b1 * in - a1 * out + second;                                                           \
      second = b2 * in - a2 * out;                                                                   \
      *(lanes *)y = out;                                                                             \
    }                                                                                                \
    m[0] = first, m[1] = second;                                                                     \
  }                                                                                                  \
  BRISTLE_CLONES static void run_pair_##LANES(const bristle_section *s, double *y, size_t count, ptrdiff_t stride, \
                                             double *memory, int begins)                             \
  {                                                                                                  \
    typedef lanes_##LANES lanes;                                                                     \
    const bristle_section a = s[0], b = s[1];                                                        \
    lanes *m = (lanes *)memory, first = m[0], second = m[1], late = m[2], later = m[3];              \
    if (begins) {                                                                                    \
      second = (a.b2 - a.a2) * *(lanes *)y, first = (a.b1 - a.a1) * *(lanes *)y + second;            \
      const lanes begin = a.b0 * *(lanes *)y + first;                                                \
      later = (b.b2 - b.a2) * begin, late = (b.b1 - b.a1) * begin + later;                           \
    }                                                                                                \
    for (size_t i = 0; i < count; i++, y += stride * LANES) {                                        \
      const lanes in = *(lanes *)y, middle = a.b0 * in + first, out = b.b0 * middle + late;          \
      first = a.b1 * in - a.a1 * middle + second;                                                    \
      second = a.b2 * in - a.a2 * middle;                                                            \
      late = b.b1 * middle - b.a1 * out + later;                                                     \
      later = b.b2 * middle - b.a2 * out;                                                            \
      *(lanes *)y = out;                                                                             \
    }                                                                                                \
    m[0] = first, m[1] = second, m[2] = late, m[3] = later;                                          \
  }                                                                                                  \
  BRISTLE_CLONES static void gather_##LANES(double *const *y, size_t from, size_t count, double *tile) \
  {                                                                                                  \
    for (size_t i = 0; i < count; i++)                                                               \
      for (int c = 0; c < LANES; c++) tile[i * LANES + (size_t)c] = y[c][from + i];                  \
  }                                                                                                  \
  BRISTLE_CLONES static void scatter_##LANES(double *const *y, size_t from, size_t count, double *tile) \
  {                                                                                                  \
    for (size_t i = 0; i < count; i++)                                                               \
      for (int c = 0; c < LANES; c++) y[c][from + i] = tile[i * LANES + (size_t)c];                  \
  }
FILTER_LANES(2)
FILTER_LANES(4)
FILTER_LANES(8)

typedef void filter_run(const bristle_section *s, double *y, size_t count, ptrdiff_t stride, double *memory,
                        int begins);
typedef void filter_move(double *const *y, size_t from, size_t count, double *tile);
typedef struct filter_lanes {
  int width;
  filter_run *section, *pair;
  filter_move *gather, *scatter;
} filter_lanes;

/* the narrowest lanes that hold so many columns, or the widest */
static const filter_lanes *lanes_for(int columns)
{
  static const filter_lanes all[] = { { 2, run_section_2, run_pair_2, gather_2, scatter_2 },
                                      { 4, run_section_4, run_pair_4, gather_4, scatter_4 },
                                      { 8, run_section_8, run_pair_8, gather_8, scatter_8 } };
  return &all[columns <= 2 ? 0 : columns <= 4 ? 1 : 2];
}

/* Columns are filtered where they stand, some samples at a time, which lie beside each other in `tile`: a copy of them
   all would be as large as they are. `tail` is what is reflected behind their end. */
enum { TILE = 512, WIDEST = 8 };
typedef struct filtering {
  const bristle_lowpass *filter;
  const filter_lanes *lanes;
  double *column[WIDEST]; /* lanes that are left repeat the first, and give what it gives */
  size_t count, pad;
  double *tile, *tail;
  double memory[BRISTLE_LOWPASS_ORDER][4 * WIDEST]; /* of each pair of sections */
} filtering;

static void run_all_lanes(filtering *f, double *y, size_t count, int backwards, int begins)
{
  const bristle_lowpass *filter = f->filter;
  const ptrdiff_t stride = backwards ? -1 : 1;
  if (!count) return;
  if (backwards) y += (count - 1) * (size_t)f->lanes->width;
  int i = 0;
  for (; i + 1 < filter->sections; i += 2) f->lanes->pair(&filter->section[i], y, count, stride, f->memory[i], begins);
  if (i < filter->sections) f->lanes->section(&filter->section[i], y, count, stride, f->memory[i], begins);
}

static void reflect(filtering *f, size_t from, size_t count, int behind)
{
  const size_t width = (size_t)f->lanes->width, last = f->count - 1;
  for (size_t c = 0; c < width; c++) {
    const double *y = f->column[c];
    double *out = (behind ? f->tail : f->tile) + c;
    for (size_t i = from; i < from + count; i++, out += width)
      *out = behind ? 2 * y[last] - y[last - 1 - i] : 2 * y[0] - y[f->pad - i];
  }
}

static void filter_both_ways(filtering *f)
{
  reflect(f, 0, f->pad, 1);
  for (size_t at = 0; at < f->pad; at += TILE) {
    const size_t some = f->pad - at < TILE ? f->pad - at : TILE;
    reflect(f, at, some, 0);
    run_all_lanes(f, f->tile, some, 0, at == 0);
  }
  for (size_t at = 0; at < f->count; at += TILE) {
    const size_t some = f->count - at < TILE ? f->count - at : TILE;
    f->lanes->gather(f->column, at, some, f->tile);
    run_all_lanes(f, f->tile, some, 0, at == 0 && !f->pad);
    f->lanes->scatter(f->column, at, some, f->tile);
  }
  run_all_lanes(f, f->tail, f->pad, 0, 0);
  run_all_lanes(f, f->tail, f->pad, 1, 1);
  for (size_t end = f->count; end > 0;) { /* what is reflected before the beginning is not asked for */
    const size_t some = end < TILE ? end : TILE;
    f->lanes->gather(f->column, end - some, some, f->tile);
    run_all_lanes(f, f->tile, some, 1, end == f->count && !f->pad);
    f->lanes->scatter(f->column, end - some, some, f->tile);
    end -= some;
  }
}

bristle_fault_kind signal_lowpass_columns(const bristle_lowpass *filter, double *const *column, int columns,
                                          size_t count, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int c = 0; c < columns && !kind; c++) kind = signal_check(column[c], count, fault);
  if (kind || count == 0) return kind;
  if (columns == 1) return bristle_lowpass_both_ways(filter, column[0], count, column[0], fault);
  filtering f = { .filter = filter, .count = count, .pad = padding(filter, count) };
  const size_t width = (size_t)lanes_for(columns)->width;
  if (!(f.tile = malloc(sizeof *f.tile * width * (TILE + f.pad)))) return fault_memory(fault);
  while (columns > 0) {
    f.lanes = lanes_for(columns);
    const int some = columns < f.lanes->width ? columns : f.lanes->width;
    for (int c = 0; c < f.lanes->width; c++) f.column[c] = column[c < some ? c : 0];
    f.tail = f.tile + (size_t)f.lanes->width * TILE;
    filter_both_ways(&f);
    column += some, columns -= some;
  }
  free(f.tile);
  return BRISTLE_FAULT_NONE;
}

/* Chebyshev of the first kind, order 8: the gain of one pass stays within 0.005 dB above 1 up to the cut-off, where a
   Butterworth would have lost half the power, and falls faster beyond it. */
static bristle_lowpass chebyshev(double cutoff)
{
  enum { ORDER = 8 };
  double ripple = sqrt(pow(10, 0.005 / 10) - 1), spread = asinh(1 / ripple) / ORDER, k = tan(PI * cutoff);
  bristle_lowpass filter = { .order = ORDER, .sections = ORDER / 2, .cutoff = cutoff, .rate = 1 };
  for (int i = 0; i < ORDER / 2; i++) {
    double angle = PI * (2 * i + 1) / (2 * ORDER), real = sinh(spread) * sin(angle),
           imaginary = cosh(spread) * cos(angle);
    filter.section[i] = section_of(2 * real, real * real + imaginary * imaginary, k);
  }
  return filter;
}

bristle_fault_kind bristle_decimate(const double *y, size_t count, size_t factor, double *out, bristle_fault *fault)
{
  if (factor < 1) return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "every 0th sample cannot be taken");
  if (factor == 1) {
    memmove(out, y, sizeof *y * count);
    return signal_check(y, count, fault);
  }
  bristle_lowpass filter = chebyshev(0.4 / (double)factor);
  double *smooth = malloc(sizeof *smooth * (count ? count : 1));
  if (!smooth) return fault_memory(fault);
  bristle_fault_kind kind = bristle_lowpass_both_ways(&filter, y, count, smooth, fault);
  for (size_t i = 0; !kind && i < count; i += factor) out[i / factor] = smooth[i];
  free(smooth);
  return kind;
}
