/* The figure after Piatkowski: what presliding loops tell about the parameters, and how far it carries. */
#include "gallery.h"

#include "piatkowski/piatkowski.h"

enum { NUMBERS = 10 };

static const gallery_number numbers[NUMBERS] = {
  { .what = "Dahl from three loops: largest error of a parameter", .unit = "1", .reference = "< 1e-3" },
  { .what = "LuGre from three loops: largest error of a parameter", .unit = "1", .reference = "< 1e-3" },
  { .what = "LuGre from samples of a finer motion", .unit = "1", .reference = "< 1e-3" },
  { .what = "LuGre from samples of a finer motion with 1 mN of noise", .unit = "1", .reference = "< 0.05" },
  { .what = "its errors in standard deviations of the fit, at most", .unit = "1", .reference = "< 3" },
  { .what = "loops above the limiting cycle time: largest difference/fc", .unit = "1", .reference = "< 0.01" },
  { .what = "that limit by the difference at a fifth of the time, which is larger", .unit = "1", .reference = "< 1" },
  { .what = "error at the load of the fit by the least at four times that load", .unit = "1", .reference = "< 0.01" },
  { .what = "a static law as coefficients at four times the load: error", .unit = "1", .reference = "< 1e-9" },
  { .what = "error at four times the load with the laws between five loads", .unit = "1", .reference = "< 0.01" },
};

static bristle_fault_kind compute(bristle_report *report, double *values, bristle_fault *fault)
{
  piatkowski_numbers found;
  bristle_fault_kind kind = piatkowski_page(report, &found, fault);
  if (kind) return kind;
  const double all[NUMBERS] = { found.dahl_error,        found.lugre_error,
                                found.finer_error,       found.noisy_error,
                                found.noisy_deviations,  found.above,
                                0.01 / found.below,      found.own_load_error / found.other_load_error,
                                found.static_load_error, found.law_load_error };
  for (int i = 0; i < NUMBERS; i++) values[i] = all[i];
  return BRISTLE_FAULT_NONE;
}

const gallery_figure gallery_piatkowski[] = {
  { .name = "piatkowski",
    .title = "Parameters from presliding loops",
    .text = "After Piatkowski (Mechanism and Machine Theory 73, 2014): Dahl and LuGre parameters are found by least "
            "squares of relative errors of hysteresis loops; loops are repeated at other periods and the parameters "
            "used at other normal loads. The contacts are made up, as the measured loops are not published.",
    GALLERY_NUMBERS_OF(numbers, GALLERY_CLOSED_FORM),
    .compute = compute },
  { .name = NULL },
};
