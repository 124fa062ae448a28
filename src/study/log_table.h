/* What was found in a log, as one table. */
#ifndef CLI_LOG_TABLE_H
#define CLI_LOG_TABLE_H

#include "lab/identify.h"
#include "lab/report.h"

#include <stdio.h>

/* channel, column, unit, factor, rate, quantum, noise, lag, held, cut off, and what the motion is made of instead of a
 * column */
void log_table_print(const bristle_log *log, FILE *out);
void log_table_json(const bristle_log *log, FILE *out); /* "channels": {...} */
void log_table_report(const bristle_log *log, bristle_report *page);

#endif
