/* Decimal numbers to doubles and back: correctly rounded, shortest, fast, and blind to the locale. */
#include "io/support.h"

#include "maths/elementary.h"
#include "bristle/text.h"

#include <float.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

enum { DIGITS = 19, EXACT = 27 }; /* 10^19 < 2^64 and 5^27 < 2^63 */

static const uint64_t fives[EXACT + 1] = { 1u,
                                           5u,
                                           25u,
                                           125u,
                                           625u,
                                           3125u,
                                           15625u,
                                           78125u,
                                           390625u,
                                           1953125u,
                                           9765625u,
                                           48828125u,
                                           244140625u,
                                           1220703125u,
                                           6103515625u,
                                           30517578125u,
                                           152587890625u,
                                           762939453125u,
                                           3814697265625u,
                                           19073486328125u,
                                           95367431640625u,
                                           476837158203125u,
                                           2384185791015625u,
                                           11920928955078125u,
                                           59604644775390625u,
                                           298023223876953125u,
                                           1490116119384765625u,
                                           7450580596923828125u };

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static double power_of_two(int exponent) /* of a normal number */
{
  uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* ---- reading ---- */

/* digits of one side of the decimal mark; returns the change of the exponent */
static int scan_digits(const char **text, const char *end, decimal *d, int *count, int fraction)
{
  int change = 0;
  const char *p = *text;
  for (; p < end && is_digit(*p); p++) {
    int digit = *p - '0';
    if (*count < DIGITS) {
      d->digits = d->digits * 10 + (uint64_t)digit;
      *count += d->digits != 0; /* leading zeros are no digits */
      change -= fraction;
    } else {
      d->dropped |= digit;
      change += !fraction;
    }
  }
  *text = p;
  return change;
}

const char *decimal_scan(const char *p, const char *end, char mark, decimal *d)
{
  int count = 0;
  *d = (decimal){ 0, 0, 0, 0 };
  if (p < end && (*p == '-' || *p == '+')) d->negative = *p++ == '-';
  const char *first = p;
  d->exponent = scan_digits(&p, end, d, &count, 0);
  const char *last = p;
  if (p < end && *p == mark) {
    p++;
    const char *fraction = p;
    d->exponent += scan_digits(&p, end, d, &count, 1);
    if (p == fraction && last == first) return NULL; /* a mark alone */
  }
  if (p == first) return NULL;
  if (p + 1 < end && (*p == 'e' || *p == 'E')) {
    const char *q = p + 1;
    int negative = 0, exponent = 0;
    if (*q == '-' || *q == '+') negative = *q++ == '-';
    if (q < end && is_digit(*q)) {
      for (; q < end && is_digit(*q); q++)
        if (exponent < 100000000) exponent = exponent * 10 + (*q - '0');
      d->exponent += negative ? -exponent : exponent;
      p = q;
    }
  }
  return p;
}

/* digits * 10^exponent by integers: one rounding, at the end. |exponent| <= EXACT, digits != 0 */
static double exact_value(uint64_t digits, int exponent)
{
  int lift = __builtin_clzll(digits), power = exponent - lift;
  uint64_t x = digits << lift, top, sticky;
  if (exponent >= 0) {
    wide product = (wide)x * fives[exponent];
    int drop = 64 - __builtin_clzll(fives[exponent]); /* the product has 63 or 64 bits more than this */
    top = (uint64_t)(product >> drop);
    sticky = (product & (((wide)1 << drop) - 1)) != 0;
    power += drop;
  } else {
    int raise = __builtin_clzll(fives[-exponent]);
    uint64_t divisor = fives[-exponent] << raise; /* both have their top bit set: the quotient fits */
    wide dividend = (wide)x << 63;
    top = (uint64_t)(dividend / divisor);
    sticky = dividend != (wide)top * divisor;
    power += raise - 63;
  }
  return (double)(top | sticky) * power_of_two(power); /* the conversion rounds to even and sees the sticky bit */
}

/* any number: its digits as an integer with an exponent, which strtod reads in every locale */
static double slow_value(const decimal *d, const char *text, const char *end, int shift)
{
  enum { ENOUGH = 800 }; /* no double needs more than 768 digits to be rounded; one more stands for all others */
  char digits[ENOUGH + 32];
  long used = 0, exponent = 0, seen = 0, fraction = 0, dropped = 0;
  for (const char *p = text; p < end && *p != 'e' && *p != 'E'; p++) {
    if (!is_digit(*p)) {
      if (*p != '-' && *p != '+') fraction = 1; /* the decimal mark */
      continue;
    }
    seen |= *p != '0';
    if (seen && used < ENOUGH) digits[used++] = *p;
    else if (seen) dropped |= *p != '0', exponent++;
    exponent -= fraction;
  }
  /* the exponent as written: the scan has clamped it and added what the first digits needed */
  const char *e = text;
  while (e < end && *e != 'e' && *e != 'E') e++;
  long written = 0;
  if (e < end) {
    int negative = e[1] == '-';
    for (e += 1 + (e[1] == '-' || e[1] == '+'); e < end; e++)
      if (written < 100000000) written = written * 10 + (*e - '0');
    if (negative) written = -written;
  }
  if (dropped) digits[used++] = '1', exponent--;
  if (!used) digits[used++] = '0';
  snprintf(digits + used, sizeof digits - (size_t)used, "e%ld", exponent + written + shift);
  double value = strtod(digits, NULL);
  return d->negative ? -value : value;
}

double decimal_value(const decimal *d, const char *text, const char *end, int shift)
{
  int exponent = d->exponent + shift;
  double value;
  if (d->dropped) return slow_value(d, text, end, shift);
  if (d->digits == 0) value = 0;
  else if (exponent >= -EXACT && exponent <= EXACT) value = exact_value(d->digits, exponent);
  else return slow_value(d, text, end, shift);
  return d->negative ? -value : value;
}

int bristle_number_read(const char *text, size_t length, char mark, int shift, double *value)
{
  decimal d;
  const char *end = text + length;
  if (decimal_scan_quickly(text, end, mark, &d) != end) return 0;
  double number = decimal_value_quickly(&d, text, end, shift);
  if (!isfinite(number)) return 0;
  *value = number;
  return 1;
}

/* ---- writing ---- */

/* floor(2 * value * 10^k), and whether something was cut off; exact by integers while |k| <= EXACT */
static uint64_t doubled(uint64_t mantissa, int power, int k, int *sticky)
{
  if (k >= 0) {
    wide product = (wide)mantissa * fives[k];
    int drop = -(power + k + 1);
    *sticky = drop > 0 && (product & (((wide)1 << drop) - 1)) != 0;
    return (uint64_t)(drop > 0 ? product >> drop : product << -drop);
  }
  wide dividend = (wide)mantissa << (power + k + 1);
  uint64_t quotient = (uint64_t)(dividend / fives[-k]);
  *sticky = dividend != (wide)quotient * fives[-k];
  return quotient;
}

/* twice the first 17 digits of a positive double, cut; value ~ result/2 * 10^*exponent. 0 if it is too large or small
 */
static uint64_t seventeen(double value, int *exponent, int *sticky)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int power = (int)(bits >> 52) - 1075;
  uint64_t mantissa = (bits & 0xfffffffffffffu) | (uint64_t)1 << 52;
  int ten = (int)floor((double)(power + 52) * 0.30102999566398120); /* place of the leading digit, or one less */
  for (int k = 16 - ten; k <= EXACT && k >= -EXACT; k--) {
    uint64_t twice = doubled(mantissa, power, k, sticky);
    *exponent = -k;
    if (twice < 200000000000000000u) return twice;
  }
  return 0;
}

static int put_digits(uint64_t digits, int exponent, char *text)
{
  char reversed[24];
  int count = 0, used = 0;
  for (; digits; digits /= 10) reversed[count++] = (char)('0' + digits % 10);
  int first = exponent + count - 1; /* the power of the leading digit */
  if (first >= -4 && first < (count > 4 ? count : 4)) {
    int after = count - 1 - first; /* digits after the mark */
    for (int i = first < 0 ? 0 : first; i >= -after || i >= 0; i--) {
      int place = count - 1 - first + i;
      if (i == -1) text[used++] = '.';
      text[used++] = place >= 0 && place < count ? reversed[place] : '0';
    }
    return used;
  }
  text[used++] = reversed[count - 1];
  if (count > 1) text[used++] = '.';
  for (int i = count - 2; i >= 0; i--) text[used++] = reversed[i];
  return used + snprintf(text + used, (size_t)(BRISTLE_NUMBER_SIZE - 1 - used), "e%d", first);
}

/* Do the digits of `unit` read back as the number whose first 17 are `twice`/2? They do within half a distance of
   doubles; where rounding could tell otherwise, they are read. */
static inline int reads_back(double value, uint64_t digits, uint64_t unit, uint64_t twice, int exponent)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint64_t mantissa = (bits & 0xfffffffffffffu) | (uint64_t)1 << 52;
  const double half = 0.5 * (double)(int64_t)twice / (double)(int64_t)mantissa; /* in units of twice */
  const double apart = fabs((double)((int64_t)(2 * digits * unit) - (int64_t)twice));
  if (unit == 1) return 1;
  if (apart > half + 1.001) return 0;                                  /* twice is cut off */
  if (apart < half - 1.001 && mantissa != (uint64_t)1 << 52) return 1; /* half as far where the exponent changes */
  const decimal d = { digits, exponent, 0, 0 };
  return decimal_value_quickly(&d, "", "", 0) == value;
}

/* `twice`/2 rounded to multiples of `unit`, if that reads back, or 0. Above a power of two doubles are twice as far
   apart as below, so that there the multiple above may do where the nearest does not. */
static inline uint64_t rounded(double value, uint64_t twice, int sticky, uint64_t unit, int exponent)
{
  uint64_t digits = twice / (2 * unit), rest = twice % (2 * unit);
  const int up = rest > unit || (rest == unit && (sticky || digits % 2));
  if (reads_back(value, digits + (uint64_t)up, unit, twice, exponent)) return digits + (uint64_t)up;
  return !up && rest == unit && reads_back(value, digits + 1, unit, twice, exponent) ? digits + 1 : 0;
}

uint64_t number_digits(double magnitude, int *exponent)
{
  int place = 0, sticky = 0;
  const uint64_t twice = magnitude >= 1e-11 && magnitude <= 1e41 ? seventeen(magnitude, &place, &sticky) : 0;
  if (!twice) return 0;
  uint64_t digits = rounded(magnitude, twice, sticky, 100, *exponent = place + 2); /* 15 digits, 16, or all */
  if (!digits) digits = rounded(magnitude, twice, sticky, 10, *exponent = place + 1);
  if (!digits) digits = rounded(magnitude, twice, sticky, 1, *exponent = place);
  while (digits % 10 == 0) digits /= 10, ++*exponent;
  return digits;
}

int bristle_number_write(double value, char text[BRISTLE_NUMBER_SIZE])
{
  int used = 0, exponent;
  const uint64_t digits = number_digits(fabs(value), &exponent);
  if (value < 0) text[used++] = '-';
  if (digits) {
    used += put_digits(digits, exponent, text + used);
    text[used] = '\0';
    return used;
  }
  if (value == 0 && !signbit(value)) {
    memcpy(text, "0", 2);
    return 1;
  }
  bristle_number_text(value, text, BRISTLE_NUMBER_SIZE); /* rare: all precisions in turn */
  return (int)strlen(text);
}
