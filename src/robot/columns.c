/* Which column of a log belongs to which joint: a name is taken apart into what is measured ("dq", "current", "target")
   and whose it is ("elbow", "3"). */
#include "robot/columns.h"

#include "io/recognise.h"

#include <stdlib.h>

enum { STEM = 64 };

typedef struct reading_of_name {
  robot_channel channel;
  int target;
  char stem[STEM]; /* small letters, words with a blank between */
} reading_of_name;

static const struct {
  const char *words;
  robot_channel channel;
} meanings[] = {
  { "q|pos|position|positions|angle|angles|actual|meas|measured|encoder|theta", ROBOT_POSITION },
  { "dq|qd|qdot|vel|velocity|velocities|speed|omega", ROBOT_VELOCITY },
  { "tau|torque|torques|effort|efforts|trq|force", ROBOT_TORQUE },
  { "current|currents|cur|amps|i", ROBOT_CURRENT },
  { "ddq|qdd|acc|accel|acceleration|temperature|temp|voltage|error|err|pwm|gain", ROBOT_OTHER },
};
static const char aims[] = "target|targets|command|commanded|cmd|desired|des|ref|reference|setpoint|goal";
static const char empty_words[] = "joint|joints|joint_states|state|states|motor|axis|link|j|rad|deg";

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c; }
static int is_letter(char c) { return small(c) >= 'a' && small(c) <= 'z'; }

/* the next word of a name: letters or digits; 0: none */
static size_t next_word(const char **at, char word[STEM])
{
  const char *p = *at;
  size_t length = 0;
  while (*p && !is_letter(*p) && !is_digit(*p)) p++;
  const int digits = is_digit(*p);
  for (; digits ? is_digit(*p) : is_letter(*p); p++)
    if (length + 1 < STEM) word[length++] = small(*p);
  word[length] = '\0';
  *at = p;
  return length;
}

static reading_of_name take_apart(const char *name)
{
  reading_of_name r = { .channel = ROBOT_POSITION };
  int told = 0;
  size_t used = 0, length;
  char word[STEM];
  while ((length = next_word(&name, word))) {
    size_t k = 0;
    const size_t most = sizeof meanings / sizeof *meanings;
    while (k < most && word_find(meanings[k].words, word, length) < 0) k++;
    if (word_find(aims, word, length) >= 0) r.target = 1;
    else if (k < most) {
      if (!told || meanings[k].channel != ROBOT_POSITION) r.channel = meanings[k].channel;
      told = 1;
    } else if (word_find(empty_words, word, length) < 0) {
      used = text_append(r.stem, STEM, used, "%s%s", used ? " " : "", word);
    }
  }
  if (r.target) r.channel = r.channel == ROBOT_POSITION ? ROBOT_TARGET : ROBOT_OTHER;
  return r;
}

static int is_number(const char *stem) { return *stem && strspn(stem, "0123456789") == strlen(stem); }

/* "NAME=COLUMN" for this joint; NULL: nobody says. *sign: -1 behind a minus */
static const char *given_for(const char *const *given, const char *name, double *sign)
{
  for (; given && *given; given++) {
    const size_t length = strcspn(*given, "=");
    if (length != strlen(name) || strncmp(*given, name, length) || !(*given)[length]) continue;
    const char *value = *given + length + 1;
    *sign = *value == '-' ? -1 : 1;
    return value + (*value == '-');
  }
  return NULL;
}

/* what the joint is called in the log */
static void stem_of(const bristle_robot *robot, int joint, const char *const *given, const robot_columns *found,
                    int first, char stem[STEM], double *sign)
{
  const char *told = given_for(given, robot->joint[joint].name, sign);
  const reading_of_name r = take_apart(told ? told : robot->joint[joint].name);
  if (!told && found->by_number) snprintf(stem, STEM, "%d", joint + first);
  else snprintf(stem, STEM, "%s", r.stem);
}

static size_t find_column(const bristle_table *table, const char *stem, robot_channel channel)
{
  for (size_t c = 0; c < table->columns; c++) {
    const reading_of_name r = take_apart(table->column[c].name);
    if (r.channel == channel && !strcmp(r.stem, stem)) return c;
  }
  return table->columns;
}

size_t robot_column_named(const bristle_table *table, const char *name)
{
  const reading_of_name r = take_apart(name);
  return find_column(table, r.stem, ROBOT_POSITION);
}

size_t robot_column_alike(const bristle_table *table, size_t place)
{
  const reading_of_name wanted = take_apart(table->column[place].name);
  for (size_t c = place + 1; c < table->columns; c++) {
    const reading_of_name r = take_apart(table->column[c].name);
    if (r.channel == wanted.channel && !strcmp(r.stem, wanted.stem)) return c;
  }
  return table->columns;
}

/* Are the positions of the log numbered, as many as the robot has joints, and do its joints have other names? */
static int is_by_number(const bristle_table *table, const bristle_robot *robot, size_t time, int *first)
{
  const int n = robot->tree.count;
  int low = 1 << 20, numbers = 0, same = 0;
  for (size_t c = 0; c < table->columns; c++) {
    const reading_of_name r = take_apart(table->column[c].name);
    if (c == time || r.channel != ROBOT_POSITION || !is_number(r.stem) || strlen(r.stem) > 4) continue;
    numbers++;
    if (atoi(r.stem) < low) low = atoi(r.stem);
  }
  for (int k = 0; k < n; k++) {
    char stem[STEM];
    const reading_of_name r = take_apart(robot->joint[k].name);
    same += find_column(table, r.stem, ROBOT_POSITION) < table->columns;
    snprintf(stem, STEM, "%d", low + k);
    if (find_column(table, stem, ROBOT_POSITION) == table->columns) return 0;
  }
  *first = low;
  return numbers == n && same < n && low <= 1;
}

/* Refuses with all joints that the log lacks, and what its columns are called. */
static bristle_fault_kind refuse_missing(const bristle_table *table, const bristle_robot *robot,
                                         const robot_columns *found, bristle_fault *fault)
{
  char missing[200] = "", names[160] = "", hint[240];
  size_t used = 0, shown = 0;
  int count = 0;
  for (int k = 0; k < robot->tree.count; k++) {
    if (found->at[k][ROBOT_POSITION] < table->columns) continue;
    used = text_append(missing, sizeof missing, used, "%s%s", used ? ", " : "", robot->joint[k].name);
    count++;
  }
  for (size_t c = 0; c < table->columns; c++) {
    const reading_of_name r = take_apart(table->column[c].name);
    if (c == found->time || r.channel != ROBOT_POSITION) continue;
    shown = text_append(names, sizeof names, shown, "%s%s", shown ? ", " : "", table->column[c].name);
  }
  int first = 0;
  while (found->at[first][ROBOT_POSITION] < table->columns) first++;
  snprintf(hint, sizeof hint,
           "say whose they are: option joint %s=COLUMN, or that it stands still: option hold %s=VALUE",
           robot->joint[first].name, robot->joint[first].name);
  fault_set(fault, BRISTLE_FAULT_VALUE, hint, "found no position of the joint%s %s; the log has %s",
            count > 1 ? "s" : "", missing, *names ? names : "no columns of positions");
  return fault_at(fault, table->file, 0, 0);
}

static bristle_fault_kind check_given(const bristle_robot *robot, const char *const *given, bristle_fault *fault)
{
  for (; given && *given; given++) {
    char name[BRISTLE_ROBOT_NAME];
    double sign;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(*given, "="), *given);
    if (!strchr(*given, '='))
      return fault_set(fault, BRISTLE_FAULT_REQUEST, "write NAME=COLUMN", "option joint %s names no column", name);
    if (bristle_robot_find(robot, name) < 0)
      return fault_set(fault, BRISTLE_FAULT_REQUEST, "the names are those of the robot's file",
                       "option joint %s: there is no such joint that moves", name);
    if (given_for(given + 1, name, &sign))
      return fault_set(fault, BRISTLE_FAULT_REQUEST, "say it once", "option joint %s is given twice", name);
  }
  return BRISTLE_FAULT_NONE;
}

/* What was said of a joint is a position of the log, and no position is that of two joints. */
static bristle_fault_kind check_positions(const bristle_table *table, const bristle_robot *robot,
                                          const char *const *given, const robot_columns *found, bristle_fault *fault)
{
  for (int k = 0; k < robot->tree.count; k++) {
    double sign;
    char shown[EXCERPT];
    const size_t place = found->at[k][ROBOT_POSITION];
    const char *told = given_for(given, robot->joint[k].name, &sign);
    if (told && robot_column_named(table, told) == table->columns) {
      fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "option joint %s=%s: the log has no such position",
                robot->joint[k].name, excerpt(told, strlen(told), shown));
      return fault_at(fault, table->file, 0, 0);
    }
    for (int i = 0; i < k; i++) {
      if (place == table->columns || found->at[i][ROBOT_POSITION] != place) continue;
      fault_set(fault, BRISTLE_FAULT_VALUE, "say whose it is: option joint NAME=COLUMN",
                "'%.80s' is the position of the joints %s and %s", table->column[place].name, robot->joint[i].name,
                robot->joint[k].name);
      return fault_at(fault, table->file, 0, 0);
    }
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind robot_columns_find(const bristle_table *table, const bristle_robot *robot, const char *const *given,
                                      robot_columns *found, bristle_fault *fault)
{
  int first = 0, missing = 0;
  bristle_fault_kind kind = check_given(robot, given, fault);
  if (kind) return kind;
  found->time = column_by_name(table, &column_roles[ROLE_TIME], NULL);
  if (found->time == table->columns) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "call it time or t", "found no column of the time");
    return fault_at(fault, table->file, 0, 0);
  }
  found->by_number = is_by_number(table, robot, found->time, &first);
  for (int k = 0; k < robot->tree.count; k++) {
    char stem[STEM];
    found->sign[k] = 1;
    stem_of(robot, k, given, found, first, stem, &found->sign[k]);
    const reading_of_name own = take_apart(robot->joint[k].name); /* what was given may be the position's name alone */
    for (int c = 0; c < ROBOT_CHANNELS; c++) {
      found->at[k][c] = find_column(table, stem, (robot_channel)c);
      if (found->at[k][c] == table->columns) found->at[k][c] = find_column(table, own.stem, (robot_channel)c);
    }
    missing += found->at[k][ROBOT_POSITION] == table->columns;
  }
  kind = check_positions(table, robot, given, found, fault);
  return kind || !missing ? kind : refuse_missing(table, robot, found, fault);
}
