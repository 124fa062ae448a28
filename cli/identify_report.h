/* What the files that make the page of `bristle identify` share. */
#ifndef CLI_IDENTIFY_REPORT_H
#define CLI_IDENTIFY_REPORT_H

#include "bristle/report.h"
#include "identify.h"

/* A section with the pictures of one log, as the best law sees it. */
void identify_pictures(const identification *id, const bristle_log *log, bristle_report *page);

#endif
