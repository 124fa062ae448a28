/* A law as people name it on the command line: "lugre", or a model file, with parameters changed by --set. */
#ifndef CLI_MODEL_ARGUMENT_H
#define CLI_MODEL_ARGUMENT_H

#include "lab/io.h"

/* Reads MODEL and applies the NAME=VALUE of a list that ends with NULL (or is NULL). Only laws that act along one
 * direction. */
bristle_fault_kind model_argument_read(const char *model, const char *const *set, bristle_friction *friction,
                                       bristle_fault *fault);
/* Does it look like the name of a file rather than that of a law? */
int model_argument_is_file(const char *model);
/* Does a load change nothing of this friction? Then the note says so. */
int model_ignores_load(const bristle_friction *friction);
extern const char model_load_note[];

#endif
