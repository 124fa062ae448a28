/* Digests, so that a file can say exactly which data it comes from. */
#ifndef BRISTLE_LAB_DIGEST_H
#define BRISTLE_LAB_DIGEST_H

#include "bristle/api.h"

#include <stddef.h>

/* SHA-256 in hexadecimal. */
void bristle_digest(const void *data, size_t size, char text[65]);

#endif
