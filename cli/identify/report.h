/* What the files that make the page of `bristle identify` share. */
#ifndef CLI_IDENTIFY_REPORT_H
#define CLI_IDENTIFY_REPORT_H

#include "bristle/report.h"
#include "identify.h"

/* The parts of the page: page.def lists them. */
typedef void identify_part(const identification *id, bristle_report *page);
#define PART(name) identify_part identify_part_##name;
#include "page.def"
#undef PART

/* Pictures over all records; nonzero: drawn. */
int identify_draw_stribeck(const identification *id, bristle_report *page);
int identify_draw_presliding(const identification *id, bristle_report *page);
/* Force over position of one record: nonzero when it was drawn. */
int identify_draw_loop(const identification *id, const identify_view *view, bristle_report *page);

#endif
