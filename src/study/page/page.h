/* What the parts of a study's page share; not installed. */
#ifndef BRISTLE_STUDY_PAGE_H
#define BRISTLE_STUDY_PAGE_H

#include "study/study.h"

/* The parts of the page: page.def lists them. */
typedef void study_part(const bristle_study *study, bristle_report *page);
#define PART(name) study_part study_part_##name;
#include "study/page/page.def"
#undef PART

/* Pictures over all records; nonzero: drawn. */
int study_draw_stribeck(const bristle_study *study, bristle_report *page);
int study_draw_presliding(const bristle_study *study, bristle_report *page);
/* Force over position of one record: nonzero when it was drawn. */
int study_draw_loop(const study_view *view, bristle_report *page);

#endif
