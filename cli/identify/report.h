/* What the files that make the page of `bristle identify` share. */
#ifndef CLI_IDENTIFY_REPORT_H
#define CLI_IDENTIFY_REPORT_H

#include "bristle/report.h"
#include "identify.h"

/* Pictures over all records; nonzero: drawn. */
int identify_draw_stribeck(const identification *id, bristle_report *page);
int identify_draw_presliding(const identification *id, bristle_report *page);
/* Force over position of one record: nonzero when it was drawn. */
int identify_draw_loop(const identification *id, const identify_view *view, bristle_report *page);
/* The section of the records: a table of all, pictures of a few. */
void identify_add_records(const identification *id, bristle_report *page);
/* The folded part: what was decided, and why. */
void identify_add_decisions(const identification *id, bristle_report *page);

#endif
