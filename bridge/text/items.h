/* C text as a list of definitions, each with its comment and the names that it defines. */
#ifndef BRIDGE_ITEMS_H
#define BRIDGE_ITEMS_H

#include <stddef.h>

enum { MOST_ITEMS = 400, MOST_NAMES = 24 };

typedef struct piece {
  const char *at;
  size_t length;
} piece;

/* one definition: a function, a type, constants */
typedef struct item {
  piece comment, code, name[MOST_NAMES];
  int names, is_function, wanted; /* wanted: for distil */
} item;

typedef struct definitions {
  item item[MOST_ITEMS];
  int items;
} definitions;

/* 0: there are more than MOST_ITEMS */
int items_split(const char *text, definitions *d);

int piece_is(piece p, const char *word);
int piece_same(piece a, piece b);

#endif
