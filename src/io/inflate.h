/* Streams of zlib (RFC 1950 and 1951), unpacked; not installed. */
#ifndef BRISTLE_IO_INFLATE_H
#define BRISTLE_IO_INFLATE_H

#include <stddef.h>

/* The format packs at most 258 bytes into 2 bits: no stream holds more than this many times its own size. */
enum { INFLATE_MOST = 1032 };

typedef struct inflated {
  size_t size;       /* bytes that were written */
  const char *wrong; /* what is wrong with the stream, behind "the stream"; or NULL */
  int whole;         /* it ended, with the right checksum; otherwise there was no room for the rest */
} inflated;

inflated inflate_zlib(const unsigned char *stream, size_t size, unsigned char *out, size_t room);

#endif
