/* What is no YAML or no JSON is refused with its line and column, and with what to do. */
#include "lab/io.h"
#include "support/test.h"

typedef struct refusal {
  const char *text, *said;
} refusal;

static const char *complaint(const char *name, const char *text)
{
  static char sentence[1000];
  bristle_document *document;
  bristle_fault fault;
  if (bristle_document_parse(name, text, strlen(text), &document, &fault))
    bristle_fault_text(&fault, sentence, sizeof sentence);
  else snprintf(sentence, sizeof sentence, "accepted");
  bristle_document_free(document);
  return sentence;
}

/* the sentence begins so: hints are long */
static void check_refusals(const char *name, const refusal *list, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const char *said = complaint(name, list[i].text);
    CHECK(!strncmp(said, list[i].said, strlen(list[i].said)), "%s\n    says: %s\n    not:  %s", list[i].text, said,
          list[i].said);
    CHECK(strstr(said, "; ") || !strcmp(said, "accepted"), "no hint: %s", said);
  }
}

#define VALUE "expected one `key: value` on each line; indent keys of one mapping alike, write a blank after each ':'"

TEST(syntax_errors_of_yaml_have_their_place_and_plain_words)
{
  static const refusal list[] = {
    { "a: 1\n b: 2\n", "r.yaml:2:3: found a ':' inside a value, " VALUE },
    { "a: b: c\n", "r.yaml:1:5: found a ':' inside a value, " VALUE },
    { "a:1\nb: 2\n", "r.yaml:2:2: found a ':' inside a value, " VALUE },
    { "\xc3\xa9: \xc3\xa9: c\n", "r.yaml:1:5: found a ':' inside a value, " VALUE }, /* characters, not bytes */
    { "a: 1\nfoo\nb: 2\n", "r.yaml:2:1: found text without a ':', expected `key: value`; write key: value" },
    { "a: [1, 2\nb: 3\n", "r.yaml:2:2: found ': 3', expected ',' or ']' in the list that begins on line 1; write [" },
    { "a: [1, 2\n", "r.yaml:2:1: the text ends here, expected ',' or ']' in the list that begins on line 1; write [" },
    { "a: {b: c: d}\n", "r.yaml:1:9: found ': d}', expected ',' or '}' in the mapping that begins on line 1; write {" },
    { "x: 1\na: 'open\n", "r.yaml:2:4: the quote that begins here is never closed; close it" },
    { "a: \"open\n---\n", "r.yaml:1:4: the quote that begins here is not closed before --- or ...; close it" },
    { "a:\n\tb: 1\n", "r.yaml:2:1: found a tab, expected blanks; indent with blanks" },
    { "a: |\n\tx\n", "r.yaml:2:1: found a tab, expected blanks; indent with blanks" },
    { "a: @x\n", "r.yaml:1:4: found '@x', expected text or a number; put text in quotes" },
    { "a: ? b\n", "r.yaml:1:4: found '? b', expected text or a number; put text in quotes" },
    { "a: - 1\n", "r.yaml:1:4: found the '- ' of a list after other text, expected it at the start of a line; write" },
    { "a: 1\n- 2\n", "r.yaml:2:1: found '- 2', expected the next key of the mapping that begins on line 1; indent" },
    { "x:\na: \"x\" y\n", "r.yaml:2:8: found 'y', expected the next key of the mapping that begins on line 1; indent" },
    { "a:\n  - 1\n  b: 2\n", "r.yaml:3:3: found 'b: 2', expected the next '- ' of the list that begins on line 2; " },
    { "  a: 1\n b: 2\n", "r.yaml:2:2: found 'b: 2', expected nothing after the end of the document; indent all keys" },
    { "a: [1,,2]\n", "r.yaml:1:7: found ',2]', expected a value; put text in quotes" },
    { "a: [\n", "r.yaml:2:1: the text ends here, expected a value; put text in quotes" },
    { "a: \"\\q\"\n", "r.yaml:1:5: found an unknown escape after '\\'; write \\\\ for a backslash" },
    { "a: \"\\xzz\"\n", "r.yaml:1:7: found 'zz\"', expected hexadecimal digits in an escape; write \\x41" },
    { "a: \"\\ud800\"\n", "r.yaml:1:7: found an escape that stands for no character; write the character itself" },
    { "a: *x*\n", "r.yaml:1:4: found a value that begins with *, expected text or a number; put text in quotes" },
    { "a: &\n", "r.yaml:1:4: found a value that begins with &, expected text or a number; put text in quotes" },
    { "a: !<x\n", "r.yaml:1:4: found a tag, expected a plain value; delete the tag" },
    { "a: !x!y z\n", "r.yaml:1:4: found a tag, expected a plain value; delete the tag" },
    { "a: ! z\n", "r.yaml:1:4: found a tag, expected a plain value; delete the tag" },
    { "a: | text\n", "r.yaml:1:6: found text after | or >, expected it on the next line; write it" },
    { "a: |0\n x\n", "r.yaml:1:5: found 0 after | or >, expected 1 to 9 or nothing; delete the 0" },
    { "\xef\xbb\xbf"
      "a: b: c\n",
      "r.yaml:1:5: found a ':' inside a value, " VALUE },
  };
  check_refusals("r.yaml", list, sizeof list / sizeof *list);
}

TEST(files_of_json_are_held_to_its_grammar)
{
  static const refusal list[] = {
    { "{\"a\": 1,}", "r.json:1:8: found a ',' after the last entry, expected none; delete it" },
    { "{\"a\":\r\n [1,\r\n]}", "r.json:2:4: found a ',' after the last entry, expected none; delete it" },
    { "{'a': 1}", "r.json:1:2: found a single quote, expected a double quote; write \"text\"" },
    { "{\"a\": 'x'}", "r.json:1:7: found a single quote, expected a double quote; write \"text\"" },
    { "{a: 1}", "r.json:1:2: found 'a', expected a key in double quotes; JSON has \"text\", numbers like -1.5e3" },
    { "{\"a\": x}", "r.json:1:7: found 'x', expected a value; JSON has" },
    { "{\"a\": 1 // x\n}", "r.json:1:9: found a comment, which JSON does not have; delete it" },
    { "{\"a\": 1 /* x */}", "r.json:1:9: found a comment, which JSON does not have; delete it" },
    { "# x\n{}", "r.json:1:1: found a comment, which JSON does not have; delete it" },
    { "{\"a\": 01}", "r.json:1:7: found '01', expected a value; JSON has" },
    { "{\"a\": +1}", "r.json:1:7: found '+1', expected a value; JSON has" },
    { "{\"a\": .5}", "r.json:1:7: found '.5', expected a value; JSON has" },
    { "{\"a\": 5.}", "r.json:1:7: found '5.', expected a value; JSON has" },
    { "{\"a\": 1e}", "r.json:1:7: found '1e', expected a value; JSON has" },
    { "{\"a\": -}", "r.json:1:7: found '-', expected a value; JSON has" },
    { "{\"a\": 0x10}", "r.json:1:7: found '0x10', expected a value; JSON has" },
    { "{\"a\": NaN}", "r.json:1:7: found 'NaN', expected a value; JSON has" },
    { "{\"a\": True}", "r.json:1:7: found 'True', expected a value; JSON has" },
    { "{\"a\": nullx}", "r.json:1:7: found 'nullx', expected a value; JSON has" },
    { "{\"a\": ,}", "r.json:1:7: found ',', expected a value; JSON has" },
    { "{\"a\" 1}", "r.json:1:6: found '1', expected ':' after the key; JSON has" },
    { "{\"a\": 1 \"b\": 2}", "r.json:1:9: found '\"', expected ',' or '}' in the mapping that begins on line 1; JSON" },
    { "{\"a\":\n [1\n 2]}", "r.json:3:2: found '2', expected ',' or ']' in the list that begins on line 2; JSON has" },
    { "{\"a\": 1", "r.json:1:8: the text ends here, expected ',' or '}' in the mapping that begins on line 1; JSON" },
    { "{\"a\": ", "r.json:1:7: the text ends here, expected a value; JSON has" },
    { "{\"a\"", "r.json:1:5: the text ends here, expected ':' after the key; JSON has" },
    { "{", "r.json:1:2: the text ends here, expected a key in double quotes; JSON has" },
    { "{\"a\": \"x", "r.json:1:7: the quote that begins here is not closed on its line; close it" },
    { "{\"a\": \"x\ny\"}", "r.json:1:7: the quote that begins here is not closed on its line; close it" },
    { "{\"\xc3\xa9\": \"x\ty\"}", "r.json:1:9: found a tab in a text, expected an escape; write \\t" },
    { "{\"a\": \"\\q\"}", "r.json:1:8: found an escape that JSON does not have; write \\\\ for a backslash" },
    { "{\"a\": \"\\", "r.json:1:8: found an escape that JSON does not have; write \\\\" },
    { "{\"a\": \"\\u12\"}", "r.json:1:8: found an escape that JSON does not have; write \\\\" },
    { "{\"a\": \"\\ud800x\"}", "r.json:1:8: found an escape that JSON does not have; write \\\\" },
    { "{\"a\": \"\\udc00\"}", "r.json:1:8: found an escape that JSON does not have; write \\\\" },
    { "{\"a\": 1} x", "r.json:1:10: found 'x', expected nothing after the end of the document; JSON has" },
    { "{\"a\": 1, \"a\": 2}", "r.json:1:10: found the key 'a' again, it is already on line 1; delete one of the two" },
    { " \n", "r.json: found an empty document, expected keys and values; write" },
    { "[1]", "r.json:1:1: found a list, expected keys and values; write" },
  };
  check_refusals("r.json", list, sizeof list / sizeof *list);
  static char deep[101];
  memset(deep, '[', 100);
  CHECK(!strcmp(complaint("r.json", deep), "r.json:1:33: found more than 32 levels, expected fewer"), "%s",
        complaint("r.json", deep));
}

TEST(texts_and_numbers_of_json_are_read_as_written)
{
  static const char text[] =
      "\xef\xbb\xbf{\"a\": -0.5e+3,\t\"b\": \"\\u00e9\\ud83d\\ude00 \\\"\\\\\\/\\n\\t\", \"c\": null,\r\n"
      "\"d\": [0, 1E2, true], \"e\": {}, \"f\": [], \"\\u0067\": \"x: # 'y'\"} \n";
  static const char *const said[] = { "-0.5e+3", "\xc3\xa9\xf0\x9f\x98\x80 \"\\/\n\t", "null", NULL, NULL, NULL,
                                      "x: # 'y'" };
  bristle_document *d = NULL;
  CHECK(!bristle_document_parse("r.json", text, sizeof text - 1, &d, NULL), "%s", complaint("r.json", text));
  if (!d) return;
  const bristle_node *root = bristle_document_root(d), *n = root->child;
  CHECK(root->count == 7, "%zu keys", (size_t)root->count);
  for (int i = 0; i < 7 && n; i++, n = n->next) {
    CHECK(n->key[0] == "abcdefg"[i] && !n->key[1], "key %d is '%s'", i, n->key);
    if (said[i]) CHECK(!strcmp(n->text, said[i]) && n->quoted == (i == 1 || i == 6), "%s", n->text);
  }
  const bristle_node *list = bristle_node_find(root, "d"), *last = bristle_node_find(root, "g");
  CHECK(list->count == 3 && !strcmp(list->child->next->text, "1E2") && list->line == 2 && list->column == 6, "a list");
  CHECK(last->key_line == 2 && last->key_column == 40 && last->column == 50, "%zu %zu", last->key_column, last->column);
  bristle_document_free(d);
}
