/* All records of an identification together: what is decided once for all of them; not installed. */
#ifndef BRISTLE_FIT_CAMPAIGN_H
#define BRISTLE_FIT_CAMPAIGN_H

#include "fit/records/motion.h"
#include "fit/squares/sums.h"

/* The columns of the linear balance that filters and terms are judged by. */
enum {
  COLUMN_MASS,
  COLUMN_OFFSET,
  COLUMN_SINE,
  COLUMN_COSINE,
  COLUMN_SKEW,
  COLUMN_COULOMB, /* or, where presliding matters, the force of a Dahl bristle */
  COLUMN_VISCOUS,
  COLUMN_CONCAVE, /* v |v| */
  COLUMN_EXTRA,   /* the first of the records' own terms */
  COLUMNS = COLUMN_EXTRA + BRISTLE_EXTRAS
};
#define COLUMN_BIT(column) ((sums_set)1 << (column))

typedef struct campaign {
  bristle_log *const *logs; /* those that are fitted, then those that only follow */
  size_t fitted, count;
  bristle_identify_options *options;
  sums_set set; /* of the balance, as decided so far */
  double rate;  /* the lowest of all records */
  memory *list;
} campaign;

/* ---- phases ---- */

/* Moving, transition or rest for every sample of every log; also fills log->threshold. */
bristle_fault_kind phases_find(const campaign *c, bristle_fault *fault);
/* Lowers the thresholds to where the force stays as clear a function of the speed as it is above. */
bristle_fault_kind phases_extend(const campaign *c, motion_source source, double cutoff, bristle_fault *fault);

/* ---- the balance behind a filter ---- */

/* Sums of the balance over the moving samples, columns and force behind the same low-pass. */
bristle_fault_kind balance_sum(const campaign *c, motion_source source, double cutoff, sums_blocks *out,
                               bristle_fault *fault);
/* The same, also over all samples, with the force of a Dahl bristle of stiffness k = sigma0/fc as its Coulomb column.
 */
bristle_fault_kind balance_sum_bristle(const campaign *c, motion_source source, double cutoff, int moving_only,
                                       int count, const double *k, sums_blocks *out, bristle_fault *fault);
/* Its column for a term of the fits. */
int balance_column(int term);
/* Terms with given factors taken off. */
void balance_take_given(const campaign *c, sums_blocks *blocks);

typedef struct cutoff_choice {
  motion_source source;
  double cutoff; /* 0: no filter */
  double error;  /* |unexplained|/|force|, force unfiltered */
  double k;      /* sigma0/fc of the bristle that judged it */
  int stiffest;  /* 1: that is the stiffest that was tried */
  int blocked;   /* 1: the noise of the motion spoils the mass at every cut-off */
} cutoff_choice;

/* ---- terms ---- */

/* A sentence for the report. */
void campaign_note(bristle_campaign *report, int doubtful, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
sums_set campaign_first_terms(const campaign *c, const bristle_identify_options *o);
/* The terms that lower the held-out error, at a cut-off; the second where bristles carry the force. */
bristle_fault_kind campaign_choose_terms(campaign *c, const cutoff_choice *choice, bristle_campaign *report,
                                         bristle_fault *fault);
bristle_fault_kind campaign_choose_terms_bent(campaign *c, const cutoff_choice *choice, bristle_campaign *report,
                                              bristle_fault *fault);
/* Loads that the drive carries, from what the logs have tried by themselves. */
bristle_fault_kind campaign_choose_loads(campaign *c, bristle_campaign *report, bristle_fault *fault);
/* What of friction follows the normal load, where nobody has said it: all of it, its levels, or nothing. */
bristle_fault_kind campaign_choose_load_form(campaign *c, bristle_campaign *report, bristle_fault *fault);
/* Mass, gravity and spring where the records ask for them and nobody else has. */
bristle_fault_kind campaign_choose_unasked(campaign *c, bristle_campaign *report, bristle_fault *fault);
/* Friction that grows with the load that gravity and the mass make, where the balance has gravity. */
bristle_fault_kind campaign_choose_own_load(campaign *c, const cutoff_choice *choice, bristle_campaign *report,
                                            bristle_fault *fault);
/* The terms of the balance become those of the fits. */
void campaign_settle_terms(const campaign *c, bristle_identify_options *o);

/* ---- positions of few counts ---- */

/* Do most steps of the position stay within a count? */
int campaign_counts_levels(const campaign *c);
/* Lines from change to change of level instead. Nonzero: no memory. */
int campaign_dequantise(const campaign *c);

/* ---- the cut-off ---- */

/* Motion, force and phases of a log, as decided. */
bristle_fault_kind campaign_apply(const cutoff_choice *choice, bristle_log *log, bristle_fault *fault);
bristle_fault_kind cutoff_by_force(const campaign *c, bristle_campaign *report, cutoff_choice *choice,
                                   bristle_fault *fault);
bristle_fault_kind cutoff_by_bristle(const campaign *c, motion_source source, bristle_campaign *report,
                                     cutoff_choice *choice, bristle_fault *fault);

#endif
