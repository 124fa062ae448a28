/* YAML by libyaml: its events become nodes, its errors sentences. */
#include "io/document.h"

#include <yaml.h>

static place place_of(yaml_mark_t mark) { return (place){ mark.line + 1, mark.column + 1 }; }

/* ---- events ---- */

static bristle_fault_kind refuse_tag(builder *b, place at)
{
  return document_refuse(b, at, "delete the tag: numbers and texts are told apart by their place",
                         "found a tag, expected a plain value");
}

static bristle_fault_kind take_event(builder *b, const yaml_event_t *event)
{
  const place at = place_of(event->start_mark);
  switch (event->type) {
  case YAML_SCALAR_EVENT:
    if (event->data.scalar.tag) return refuse_tag(b, at);
    return document_scalar(b, (const char *)event->data.scalar.value, event->data.scalar.length,
                           event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE, at);
  case YAML_MAPPING_START_EVENT:
    if (event->data.mapping_start.tag) return refuse_tag(b, at);
    return document_open(b, BRISTLE_NODE_MAP, at);
  case YAML_SEQUENCE_START_EVENT:
    if (event->data.sequence_start.tag) return refuse_tag(b, at);
    return document_open(b, BRISTLE_NODE_LIST, at);
  case YAML_MAPPING_END_EVENT:
  case YAML_SEQUENCE_END_EVENT:
    document_close(b);
    return BRISTLE_FAULT_NONE;
  case YAML_ALIAS_EVENT:
    return document_refuse(b, at, "write the value again", "found an alias (*name), expected a value");
  default:
    return BRISTLE_FAULT_NONE;
  }
}

/* ---- errors ---- */

/* The place of a fault: where libyaml could not go on, or where the broken thing begins. EXPECTED shows what stands at
   the first and says what was expected; PART_OF the same, with the line where the list or mapping begins. */
typedef enum where { STOPPED, BEGAN, EXPECTED, PART_OF } where;

/* what libyaml says, and what we say */
typedef struct complaint {
  const char *problem, *context; /* either may be NULL: any */
  where at;
  const char *what, *hint;
} complaint;

static const char in_quotes[] = "put text in quotes that contains : or # or begins with a special character";
static const char no_tabs[] = "indent with blanks";
static const char tag_found[] = "found a tag, expected a plain value";
static const char tag_hint[] = "delete the tag, or put text that begins with ! in quotes";

static const complaint complaints[] = {
  { "mapping values are not allowed in this context", NULL, STOPPED,
    "found a ':' inside a value, expected one `key: value` on each line",
    "indent keys of one mapping alike, write a blank after each ':', and put text with ': ' in it in quotes" },
  { "could not find expected ':'", NULL, BEGAN, "found text without a ':', expected `key: value`",
    "write key: value, and # before a comment" },
  { "did not find expected key", NULL, PART_OF, "the next key of the mapping that begins on line",
    "indent keys of one mapping alike, and put a whole text in quotes, not a part of it" },
  { "did not find expected '-' indicator", NULL, PART_OF, "the next '- ' of the list that begins on line",
    "indent items of one list alike" },
  { "did not find expected ',' or ']'", NULL, PART_OF, "',' or ']' in the list that begins on line",
    "write [1, 2, 3]" },
  { "did not find expected ',' or '}'", NULL, PART_OF, "',' or '}' in the mapping that begins on line",
    "write {key: value, key: value}" },
  { "did not find expected node content", NULL, EXPECTED, "a value", in_quotes },
  { "did not find expected <document start>", NULL, EXPECTED, "nothing after the end of the document",
    "indent all keys of the file alike, and close brackets at the end only" },
  { "block sequence entries are not allowed in this context", NULL, STOPPED,
    "found the '- ' of a list after other text, expected it at the start of a line",
    "write the list as [1, 2, 3], or each item on a line of its own" },
  { "mapping keys are not allowed in this context", NULL, EXPECTED, "text or a number", in_quotes },
  { "found unexpected end of stream", NULL, BEGAN, "the quote that begins here is never closed",
    "close it, and double a quote that belongs to the text" },
  { "found unexpected ':'", NULL, STOPPED, "found a ':' inside a text in braces or brackets", /* libyaml before 0.2 */
    "put the text in quotes: {file: 'C:/data/log.csv'}" },
  { "found unexpected document indicator", NULL, BEGAN, "the quote that begins here is not closed before --- or ...",
    "close it" },
  { "found unknown escape character", NULL, STOPPED, "found an unknown escape after '\\'",
    "write \\\\ for a backslash, or use single quotes" },
  { "did not find expected hexdecimal number", NULL, EXPECTED, "hexadecimal digits in an escape",
    "write \\x41 or \\u00b5, or \\\\ for a backslash" },
  { "found invalid Unicode character escape code", NULL, STOPPED, "found an escape that stands for no character",
    "write the character itself" },
  { "found a tab character that violates indentation", NULL, STOPPED, "found a tab, expected blanks", no_tabs },
  { "found a tab character where an indentation space is expected", NULL, STOPPED, "found a tab, expected blanks",
    no_tabs },
  { "did not find expected comment or line break", "while scanning a block scalar", STOPPED,
    "found text after | or >, expected it on the next line", "write it on the next line, indented" },
  { "found an indentation indicator equal to 0", NULL, STOPPED, "found 0 after | or >, expected 1 to 9 or nothing",
    "delete the 0" },
  { NULL, "while scanning an anchor", BEGAN, "found a value that begins with &, expected text or a number", in_quotes },
  { NULL, "while scanning an alias", BEGAN, "found a value that begins with *, expected text or a number", in_quotes },
  { NULL, "while scanning a tag", BEGAN, tag_found, tag_hint },
  { NULL, "while parsing a tag", BEGAN, tag_found, tag_hint },
  { "found character that cannot start any token", NULL, EXPECTED, "text or a number", in_quotes },
  { "found undefined tag handle", NULL, BEGAN, tag_found, tag_hint },
};

static int says(const char *said, const char *expected) { return !expected || (said && !strcmp(said, expected)); }

/* the rest of the line at a place */
static size_t rest_of_line(const char *text, size_t size, yaml_mark_t mark, const char **rest)
{
  size_t i = 0, length = 0;
  for (size_t characters = 0; i < size; i++) {
    if (((unsigned char)text[i] & 0xc0) == 0x80) continue;
    if (characters++ == mark.index) break;
  }
  *rest = text + i;
  while (i + length < size && text[i + length] != '\n' && text[i + length] != '\r') length++;
  return length;
}

static bristle_fault_kind refuse_as(builder *b, const complaint *c, const yaml_parser_t *parser, const char *rest,
                                    size_t length)
{
  const place stopped = place_of(parser->problem_mark), began = place_of(parser->context_mark);
  char shown[EXCERPT], found[EXCERPT + 32] = "the text ends here", line[32] = "";
  if (c->at == STOPPED) return document_refuse(b, stopped, c->hint, "%s", c->what);
  if (c->at == BEGAN) return document_refuse(b, parser->context ? began : stopped, c->hint, "%s", c->what);
  if (length) snprintf(found, sizeof found, "found '%s'", excerpt(rest, length, shown));
  if (c->at == PART_OF) snprintf(line, sizeof line, " %zu", began.line);
  return document_refuse(b, stopped, c->hint, "%s, expected %s%s", found, c->what, line);
}

static bristle_fault_kind syntax_error(builder *b, const yaml_parser_t *parser, const char *text, size_t size)
{
  const char *problem = parser->problem ? parser->problem : "the text cannot be read", *rest;
  const size_t length = rest_of_line(text, size, parser->problem_mark, &rest);
  if (!strcmp(problem, "found character that cannot start any token") && length && *rest == '\t')
    return document_refuse(b, place_of(parser->problem_mark), no_tabs, "found a tab, expected blanks");
  for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++)
    if (says(problem, complaints[i].problem) && says(parser->context, complaints[i].context))
      return refuse_as(b, &complaints[i], parser, rest, length);
  return document_refuse(b, place_of(parser->problem_mark), in_quotes, "%s", problem);
}

/* ---- the text ---- */

static bristle_fault_kind read_events(builder *b, yaml_parser_t *parser, const char *text, size_t size)
{
  for (;;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event))
      return parser->error == YAML_MEMORY_ERROR ? document_no_memory(b) : syntax_error(b, parser, text, size);
    const int over = event.type == YAML_STREAM_END_EVENT;
    const bristle_fault_kind kind = take_event(b, &event);
    yaml_event_delete(&event);
    if (kind || over) return kind;
  }
}

bristle_fault_kind yaml_read(builder *b, const char *text, size_t size)
{
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) return document_no_memory(b);
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  const bristle_fault_kind kind = read_events(b, &parser, text, size);
  yaml_parser_delete(&parser);
  return kind;
}
