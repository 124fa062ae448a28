#include "lab/io.h"
#include "io/support.h"
#include "support/test.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/bristle-test-XXXXXX";

static const char *in_folder(const char *name)
{
  static char path[4][200];
  static int next;
  next = (next + 1) % 4;
  if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL, "no folder");
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

__attribute__((destructor)) static void remove_folder(void)
{
  static const char *const names[] = { "out.csv", "real.csv", "link.csv" };
  if (strstr(folder, "XXXXXX")) return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(in_folder(names[i]));
  rmdir(folder);
}

static const char *content(const char *path)
{
  static char text[200];
  FILE *file = fopen(path, "r");
  if (!file) return "(none)";
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

static const char *open_complaint(const char *path)
{
  static char sentence[600];
  bristle_output *output;
  bristle_fault fault;
  if (!bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, &fault)) {
    bristle_output_discard(output);
    return "accepted";
  }
  CHECK(output == NULL, "an output in spite of a fault");
  bristle_fault_text(&fault, sentence, sizeof sentence);
  return sentence;
}

TEST(a_file_appears_whole_or_not_at_all)
{
  const char *path = in_folder("out.csv");
  bristle_output *output;
  CHECK(!bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, NULL), "open");
  fputs("first", bristle_output_stream(output));
  CHECK(!strcmp(content(path), "(none)"), "it is there too early");
  CHECK(!bristle_output_commit(output, NULL) && !strcmp(content(path), "first"), "%s", content(path));
  CHECK(!bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, NULL), "open again");
  fputs("second", bristle_output_stream(output));
  fflush(bristle_output_stream(output));
  CHECK(!strcmp(content(path), "first"), "overwritten too early");
  bristle_output_discard(output);
  CHECK(!strcmp(content(path), "first"), "a discarded output destroyed the old one");
  CHECK(!strcmp(content(in_folder("out.csv.bristle-part0")), "(none)"), "a temporary file was left");
  unlink(path);
}

TEST(replacing_a_file_keeps_its_link_and_its_permissions)
{
  const char *path = in_folder("real.csv"), *link_path = in_folder("link.csv");
  struct stat about;
  bristle_output *output;
  fclose(fopen(path, "w"));
  chmod(path, 0640);
  CHECK(!symlink(path, link_path), "link");
  CHECK(!bristle_output_open(link_path, BRISTLE_OUTPUT_TABLE, &output, NULL), "open");
  fputs("new", bristle_output_stream(output));
  CHECK(!bristle_output_commit(output, NULL) && !strcmp(content(path), "new"), "%s", content(path));
  CHECK(!lstat(link_path, &about) && S_ISLNK(about.st_mode), "the link is gone");
  CHECK(!stat(path, &about) && (about.st_mode & 0777) == 0640, "%o", (unsigned)about.st_mode & 0777);
  unlink(link_path), unlink(path);
}

TEST(places_that_cannot_be_written_are_named)
{
  char expected[300];
  const char *said = open_complaint("/nowhere/out.csv");
  CHECK(
      !strcmp(said, "/nowhere/out.csv: the file cannot be written (No such file or directory); make the folder first"),
      "%s", said);
  in_folder("");
  said = open_complaint(folder);
  snprintf(expected, sizeof expected, "%s: the file cannot be written (Is a directory); name a file in it", folder);
  CHECK(!strcmp(said, expected), "%s", said);
  if (geteuid()) { /* the superuser may write everywhere */
    chmod(folder, 0500);
    snprintf(expected, sizeof expected,
             "%s: the file cannot be written (Permission denied); choose a folder you may write to",
             in_folder("out.csv"));
    said = open_complaint(in_folder("out.csv"));
    CHECK(!strcmp(said, expected), "%s", said);
    chmod(folder, 0700);
  }
}

TEST(a_full_disk_is_reported)
{
  bristle_output *output;
  bristle_fault fault;
  char sentence[600];
  CHECK(!bristle_output_open("/dev/full", BRISTLE_OUTPUT_TABLE, &output, &fault), "a device is opened directly");
  fputs("anything", bristle_output_stream(output));
  CHECK(bristle_output_commit(output, &fault) == BRISTLE_FAULT_FILE, "a full disk");
  bristle_fault_text(&fault, sentence, sizeof sentence);
  CHECK(!strcmp(sentence, "/dev/full: the file cannot be written (No space left on device); the disk is full"), "%s",
        sentence);
}

TEST(json_and_rows_are_written_as_they_are_read)
{
  char text[600] = "";
  FILE *out = fmemopen(text, sizeof text, "w");
  const double numbers[] = { 0.1, -1e-5, HUGE_VAL };
  const char notes[2][8] = { "a", "b\n" };
  double row[70];
  const char *volatile none = NULL;
  CHECK(out != NULL, "no stream");
  bristle_json_print(out, "{'name': %s, 'none': %s, 'x': %g, 'bad': %g, 'n': %d, 'size': %zu, 'yes': %i%c%c", "a\"b\\",
                     none, 0.1, (double)NAN, -3, (size_t)7, 2, 0, '}');
  bristle_json_numbers(out, numbers, 3);
  bristle_json_texts(out, notes[0], sizeof notes[0], 2);
  bristle_rows_head(out, 2, (const char *[]){ "t", "mode" }, (const char *[]){ "s", "" });
  for (int i = 0; i < 70; i++) row[i] = i; /* more than fits into one portion */
  CHECK(bristle_rows_write(out, 70, row), "the row was not written");
  fclose(out);
  const char *expected =
      "{\"name\": \"a\\\"b\\\\\", \"none\": null, \"x\": 0.1, \"bad\": null, \"n\": -3, \"size\": 7, "
      "\"yes\": true}[0.1, -1e-5, null][\"a\", \"b\\n\"]t [s],mode\n0,1,2,";
  CHECK(!strncmp(text, expected, strlen(expected)), "%s", text);
  CHECK(strstr(text, ",62,63,64,") && strstr(text, ",69\n"), "%s", text);
}

/* ---- texts ---- */

/* formats that the compiler would refuse: bristle_json_print knows fewer conversions than printf */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static void print_as(FILE *out, const char *format, double x) { bristle_json_print(out, format, "a", x, "b"); }
#pragma GCC diagnostic pop

TEST(json_with_an_unknown_conversion_reads_no_argument)
{
  static const char *const cases[][2] = {
    { "{%s: %g, %s}", "{\"a\": 1.5, \"b\"}" }, { "%s: %f, %s", "\"a\": %f, %s" },
    { "%s: %zd %s", "\"a\": %zd %s" },         { "100 %% of %s", "100 % of \"a\"" },
    { "%s ends with %", "\"a\" ends with %" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print_as(out, cases[i][0], 1.5);
    fclose(out);
    CHECK(!strcmp(text, cases[i][1]), "%s: %s", cases[i][0], text);
    free(text);
  }
}

TEST(text_that_does_not_fit_is_cut_off)
{
  char text[9] = "", guard[2] = "#";
  size_t used = 0;
  for (int i = 0; i < 5; i++) {
    used = text_append(text, sizeof text - 1, used, "%d,%d;", i, i);
    CHECK(used < sizeof text - 1 && strlen(text) == used, "%zu bytes: '%s'", used, text);
  }
  CHECK(!strcmp(text, "0,0;1,1") && guard[0] == '#', "'%s'", text);
  CHECK(text_append(text, 0, 0, "x") == 0 && text_append(text, 8, 100, "x") == 100, "nothing fits");
}
