/* Times as clocks write them, as seconds: "12:30:05.250", "2024-05-01T12:30:05.250Z", "01.05.2024 12:30:05,25",
   "5/1/2024 12:30:05". Only differences matter, so zones are passed over, and days are counted from 1970. */
#include "io/csv.h"

/* up to `most` digits; NULL if there is none */
static const char *digits(const char *p, const char *end, int most, long *value)
{
  const char *start = p;
  *value = 0;
  while (p < end && p - start < most && *p >= '0' && *p <= '9') *value = 10 * *value + (*p++ - '0');
  return p > start ? p : NULL;
}

int calendar_day(long year, long month, long day, long *days)
{
  static const char length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
  const int leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (month < 1 || month > 12 || day < 1 || day > length[month - 1] + (month == 2 && leaps)) return 0;
  /* March is the first month, so that leap days end a year */
  year -= month <= 2;
  const long era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
  const long of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  *days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
  return 1;
}

/* a date and what separates it from the time; NULL if there is none */
static const char *date(const char *p, const char *end, double *seconds)
{
  long part[3];
  char between = 0;
  for (int i = 0; i < 3; i++) {
    if (!(p = digits(p, end, 4, &part[i]))) return NULL;
    if (i == 2) break;
    if (p == end || !strchr("-./", *p) || (between && *p != between)) return NULL;
    between = *p++;
  }
  if (p == end || (*p != 'T' && *p != ' ' && *p != '_')) return NULL;
  const int year_first = part[0] > 31, month_first = between == '/' && part[0] <= 12;
  const long year = year_first ? part[0] : part[2], month = part[year_first || !month_first ? 1 : 0];
  const long day = year_first ? part[2] : part[month_first ? 1 : 0];
  long days;
  if (!calendar_day(year, month, day, &days)) return NULL;
  *seconds = 86400.0 * (double)days;
  return p + 1;
}

static const char *zone(const char *p, const char *end)
{
  long ignored;
  if (p < end && *p == 'Z') return p + 1;
  if (p == end || !strchr("+-", *p) || !(p = digits(p + 1, end, 4, &ignored))) return p;
  if (p < end && *p == ':') p = digits(p + 1, end, 2, &ignored);
  return p;
}

int stamp_read(const char *p, const char *end, double *seconds)
{
  long hour, minute, second;
  double whole = 0, fraction = 0, digit = 0.1;
  const char *behind = date(p, end, &whole);
  if (behind) p = behind;
  while (p < end && *p == ' ') p++;
  if (!(p = digits(p, end, 2, &hour)) || p == end || *p++ != ':') return 0;
  if (!(p = digits(p, end, 2, &minute)) || p == end || *p++ != ':') return 0;
  if (!(p = digits(p, end, 2, &second)) || hour > 24 || minute > 59 || second > 60) return 0;
  if (p < end && (*p == '.' || *p == ','))
    for (p++; p < end && *p >= '0' && *p <= '9'; digit /= 10) fraction += digit * (*p++ - '0');
  if (behind && !(p = zone(p, end))) return 0;
  while (p < end && *p == ' ') p++;
  *seconds = whole + (double)(3600 * hour + 60 * minute + second) + fraction;
  return p == end;
}
