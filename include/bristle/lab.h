/* All of libbristle-lab: files, simulation, scenarios, identification. Link with bristle-lab (pkg-config, or CMake's
 * bristle::lab), which brings libbristle along.
 *
 *   #include <bristle/lab.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     bristle_table *log;
 *     bristle_fault fault;
 *     char why[900];
 *     if (bristle_table_read("examples/compare/loops.csv", &log, &fault))
 *       return bristle_fault_text(&fault, why, sizeof why), puts(why), 1;
 *     printf("%d rows of %s, %s, ...\n", (int)log->rows, log->column[0].name, log->column[1].name);
 *     bristle_table_free(log);
 *   }
 * It prints "800 rows of t, x, ...".
 *
 * Threads: any number of them may call anything at once, each with objects and faults of its own; scenarios and tables
 * that nobody changes may be shared.
 */
#ifndef BRISTLE_LAB_H
#define BRISTLE_LAB_H

#include "bristle/identify.h"
#include "bristle/scenario.h"
#include "bristle/text.h"

#endif
