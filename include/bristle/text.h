/* Sentences for people: what went wrong, where, and what to do. The core itself never prints.
 *
 *   #include <bristle/text.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     const bristle_model *law = bristle_law_find("lugre")->f64;
 *     double p[BRISTLE_LAW_SIZE];
 *     bristle_error error;
 *     char text[200];
 *     bristle_defaults(law->info, p);
 *     p[0] = -1;
 *     if (bristle_check(law, p, &error)) bristle_error_text(&error, text, sizeof text), puts(text);
 *   }
 * It prints "lugre: sigma0 = -1 is outside 0.001 to 1e12; check the value and its unit".
 */
#ifndef BRISTLE_TEXT_H
#define BRISTLE_TEXT_H

#include "bristle/api.h"
#include "bristle/bristle.h"

BRISTLE_BEGIN

/* "lugre: fs = 0.5 breaks a rule: fs must not be below fc". Writes at most `size` bytes, always terminated. */
void bristle_error_text(const bristle_error *error, char *text, size_t size);

/* "fc", or "k[1]" for element 0 of a vector: people count from 1, as model files and exports do. */
void bristle_param_name(const bristle_row *row, int element, char *text, size_t size);

/* Shortest decimal that reads back as the same double; independent of the locale's decimal point. */
void bristle_number_text(double value, char *text, size_t size);

const char *bristle_load_text(bristle_load load);
const char *bristle_row_kind_text(bristle_row_kind kind);
const char *bristle_mode_text(bristle_mode mode);

BRISTLE_END
#endif
