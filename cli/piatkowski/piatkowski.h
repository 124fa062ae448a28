/* A page after Piatkowski (Mech. Mach. Theory 73, 2014): what presliding loops tell, and how far it carries. */
#ifndef CLI_PIATKOWSKI_H
#define CLI_PIATKOWSKI_H

#include "lab/report.h"

/* What the page found, for checks. */
typedef struct piatkowski_numbers {
  double dahl_error, lugre_error;  /* largest relative error of the parameters recovered from three loops */
  double finer_error, noisy_error; /* the same for LuGre where samples are not the law's own steps; with noise too */
  double noisy_deviations;         /* the last one in standard deviations of the fit */
  double above, below;             /* largest difference of loops from the slow one, in units of fc: from the limiting
                                      cycle time on, and at a fifth of it */
  double own_load_error;           /* relative rms error of the loop at the load of the fit */
  double other_load_error;         /* the least of the three load forms at four times the load */
  double static_load_error;        /* a static law of one load, as coefficients, at four times that load */
  double law_load_error;           /* with the stiffness following its load law */
} piatkowski_numbers;

/* Adds sections to a report (which may be NULL: then only the numbers are computed). */
bristle_fault_kind piatkowski_page(bristle_report *report, piatkowski_numbers *numbers, bristle_fault *fault);

#endif
