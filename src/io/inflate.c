/* Unpacks a stream of zlib. Every count is checked against the input and the room before it is used. */
#include "io/inflate.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 15, QUICK = 9, SYMBOLS = 288, DISTANCES = 30, END = 256, LENGTHS = 29 };

static const char EARLY[] = "ends too early", BROKEN[] = "is broken";

typedef struct packed {
  const unsigned char *in, *end;
  unsigned char *out;
  size_t room, made;
  uint64_t bits; /* read, but not used; the next one is the lowest */
  int held;      /* how many */
  int full;
  const char *wrong;
} packed;

static void refill(packed *s)
{
  for (; s->held <= 48 && s->in < s->end; s->held += 8) s->bits |= (uint64_t)*s->in++ << s->held;
}

/* up to 16 bits as a number */
static unsigned take(packed *s, int count)
{
  refill(s);
  if (s->held < count) return s->wrong = EARLY, 0;
  const unsigned number = (unsigned)(s->bits & ((1U << count) - 1));
  s->bits >>= count, s->held -= count;
  return number;
}

static void put(packed *s, unsigned char byte)
{
  if (s->made == s->room) s->full = 1;
  else s->out[s->made++] = byte;
}

/* ---- codes of Huffman ---- */

typedef struct code {
  uint16_t count[LONGEST + 1], symbol[SYMBOLS]; /* codes of each length; symbols by length, then by value */
  uint16_t quick[1 << QUICK];                   /* for the next bits: length and symbol of a short code, or 0 */
} code;

static unsigned mirrored(unsigned bits, int count)
{
  unsigned other = 0;
  for (int i = 0; i < count; i++) other |= (bits >> i & 1U) << (count - 1 - i);
  return other;
}

/* nonzero: more codes than their lengths have room for. Too few are fine as long as no other is met. */
static int make_code(code *c, const unsigned char *length, int symbols)
{
  unsigned first[LONGEST + 2] = { 0 }, place[LONGEST + 2] = { 0 };
  memset(c, 0, sizeof *c);
  for (int i = 0; i < symbols; i++) c->count[length[i]]++;
  c->count[0] = 0;
  for (int n = 1; n <= LONGEST; n++) {
    if (first[n] + c->count[n] > 1U << n) return 1;
    first[n + 1] = (first[n] + c->count[n]) << 1;
    place[n + 1] = place[n] + c->count[n];
  }
  for (int i = 0; i < symbols; i++) {
    const int n = length[i];
    if (!n) continue;
    c->symbol[place[n]++] = (uint16_t)i;
    const unsigned start = mirrored(first[n]++, n);
    for (unsigned k = start; n <= QUICK && k < 1U << QUICK; k += 1U << n) c->quick[k] = (uint16_t)(n << QUICK | i);
  }
  return 0;
}

static int use(packed *s, int count, int symbol)
{
  if (count > s->held) return s->wrong = EARLY, -1;
  s->bits >>= count, s->held -= count;
  return symbol;
}

static int next_symbol(packed *s, const code *c)
{
  refill(s);
  const unsigned entry = c->quick[s->bits & ((1U << QUICK) - 1)];
  if (entry) return use(s, (int)(entry >> QUICK), (int)(entry & ((1U << QUICK) - 1)));
  unsigned value = 0, first = 0, place = 0;
  for (int n = 1; n <= LONGEST; n++) {
    value |= (unsigned)(s->bits >> (n - 1) & 1U);
    if (value - first < c->count[n]) return use(s, n, c->symbol[place + value - first]);
    place += c->count[n], first = (first + c->count[n]) << 1, value <<= 1;
  }
  return s->wrong = s->held < LONGEST ? EARLY : BROKEN, -1;
}

/* ---- blocks ---- */

static void copy_back(packed *s, unsigned length, unsigned distance)
{
  if (distance > s->made) s->wrong = BROKEN;
  for (unsigned i = 0; i < length && !s->wrong && !s->full; i++) put(s, s->out[s->made - distance]);
}

static void coded_block(packed *s, const code *literals, const code *distances)
{
  static const uint16_t length[LENGTHS] = { 3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                            31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
  static const uint16_t distance[DISTANCES] = { 1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577 };
  while (!s->wrong && !s->full) {
    int symbol = next_symbol(s, literals);
    if (symbol < 0 || symbol == END) return;
    if (symbol < END) {
      put(s, (unsigned char)symbol);
      continue;
    }
    symbol -= END + 1;
    if (symbol >= LENGTHS) break;
    const unsigned long_by = symbol < 8 || symbol == LENGTHS - 1 ? 0 : take(s, symbol / 4 - 1);
    const int back = next_symbol(s, distances);
    if (back < 0) return;
    if (back >= DISTANCES) break;
    const unsigned far_by = back < 4 ? 0 : take(s, back / 2 - 1);
    if (!s->wrong) copy_back(s, length[symbol] + long_by, distance[back] + far_by);
  }
  if (!s->wrong && !s->full) s->wrong = BROKEN;
}

static void stored_block(packed *s)
{
  take(s, s->held % 8); /* to the next byte; whole bytes that are held are used first */
  const unsigned length = take(s, 16), check = take(s, 16);
  if (!s->wrong && (length ^ check) != 0xffff) s->wrong = BROKEN;
  for (unsigned i = 0; i < length && !s->wrong && !s->full; i++) {
    const unsigned byte = take(s, 8);
    if (!s->wrong) put(s, (unsigned char)byte);
  }
}

static void fixed_block(packed *s)
{
  code literals, distances;
  unsigned char length[SYMBOLS];
  for (int i = 0; i < SYMBOLS; i++) length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  make_code(&literals, length, SYMBOLS);
  memset(length, 5, DISTANCES);
  make_code(&distances, length, DISTANCES);
  coded_block(s, &literals, &distances);
}

/* lengths of both codes, which are coded themselves */
static void read_lengths(packed *s, const code *c, unsigned char *length, int count)
{
  for (int at = 0; at < count && !s->wrong;) {
    const int symbol = next_symbol(s, c);
    if (symbol < 0) return;
    if (symbol < 16) {
      length[at++] = (unsigned char)symbol;
      continue;
    }
    const unsigned char again = symbol == 16 && at ? length[at - 1] : 0;
    const int times = (int)(symbol == 16 ? 3 + take(s, 2) : symbol == 17 ? 3 + take(s, 3) : 11 + take(s, 7));
    if ((symbol == 16 && !at) || times > count - at) s->wrong = s->wrong ? s->wrong : BROKEN;
    for (int i = 0; i < times && !s->wrong; i++) length[at++] = again;
  }
}

static void own_block(packed *s)
{
  static const unsigned char order[19] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
  const int literal = (int)take(s, 5) + 257, distance = (int)take(s, 5) + 1, known = (int)take(s, 4) + 4;
  code literals, distances;
  unsigned char length[SYMBOLS + 32] = { 0 };
  for (int i = 0; i < known; i++) length[order[i]] = (unsigned char)take(s, 3);
  if (!s->wrong && (literal > SYMBOLS - 2 || distance > DISTANCES || make_code(&literals, length, 19)))
    s->wrong = BROKEN;
  if (s->wrong) return;
  memset(length, 0, sizeof length);
  read_lengths(s, &literals, length, literal + distance);
  if (s->wrong) return;
  if (make_code(&literals, length, literal) || make_code(&distances, length + literal, distance)) s->wrong = BROKEN;
  else coded_block(s, &literals, &distances);
}

/* ---- the stream ---- */

static uint32_t adler(const unsigned char *bytes, size_t count)
{
  enum { MODULUS = 65521, SUMS = 5552 }; /* so many sums have room in 32 bits */
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < count;) {
    for (const size_t end = count - i > SUMS ? i + SUMS : count; i < end; i++) a += bytes[i], b += a;
    a %= MODULUS, b %= MODULUS;
  }
  return b << 16 | a;
}

static void check_end(packed *s)
{
  uint32_t sum = 0;
  take(s, s->held % 8);
  for (int i = 0; i < 4; i++) sum = sum << 8 | take(s, 8);
  if (!s->wrong && sum != adler(s->out, s->made)) s->wrong = "has another checksum than its contents";
}

inflated inflate_zlib(const unsigned char *stream, size_t size, unsigned char *out, size_t room)
{
  packed s = { .in = stream, .end = stream + size, .out = out, .room = room };
  const unsigned method = take(&s, 8), flags = take(&s, 8);
  int last = 0;
  /* method 8, a window of at most 32 kB, no dictionary */
  if (!s.wrong && ((method & 15) != 8 || method >> 4 > 7 || flags & 32 || (method << 8 | flags) % 31)) s.wrong = BROKEN;
  while (!last && !s.wrong && !s.full) {
    last = (int)take(&s, 1);
    const unsigned kind = take(&s, 2);
    if (s.wrong) break;
    if (kind == 0) stored_block(&s);
    else if (kind == 1) fixed_block(&s);
    else if (kind == 2) own_block(&s);
    else s.wrong = BROKEN;
  }
  if (!s.wrong && !s.full) check_end(&s);
  return (inflated){ s.made, s.wrong, !s.wrong && !s.full };
}
