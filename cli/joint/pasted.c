/* Blocks as other tools write them: an element of XML, a command or a statement of Adams, a block of a property file.
 * All of them are pairs NAME = VALUE with something between that may be passed over. */
#include "fields.h"

#include "io/support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 200 };

static int is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* the value behind '=': in quotation marks, in parentheses, or up to what separates pairs */
static const char *value_at(const char *at, const char **end)
{
  while (*at == ' ' || *at == '\t') at++;
  const char close = *at == '"' || *at == '\'' ? *at : *at == '(' ? ')' : '\0';
  if (close) {
    const char *found = strchr(++at, close);
    *end = found ? found : at + strlen(at);
    return at;
  }
  *end = at + strcspn(at, " \t\r\n,&>!$");
  if (*end > at && **end == '>' && (*end)[-1] == '/') --*end;
  return at;
}

/* one line of the document: both in quotation marks, without what would end them */
static size_t put_pair(char *line, const char *name, size_t name_length, const char *value, size_t value_length)
{
  size_t used = 0;
  line[used++] = '"';
  for (size_t i = 0; i < name_length && i < LONGEST; i++) line[used++] = name[i];
  for (const char *c = "\": \""; *c; c++) line[used++] = *c;
  for (size_t i = 0; i < value_length && i < LONGEST; i++)
    line[used++] = strchr("\"\\\t\r\n", value[i]) ? ' ' : value[i];
  line[used++] = '"';
  line[used++] = '\n';
  return used;
}

bristle_fault_kind joint_pasted(const bristle_node *node, bristle_document **document, bristle_fault *fault)
{
  const char *text = node->text ? node->text : "", *end;
  size_t used = 0;
  /* a pair has a character for its name and one for '=' at least, and seven more in the document */
  char *made = malloc(4 * strlen(text) + 8);
  if (!made) return fault_memory(fault);
  for (const char *at = text; *at; at++) {
    if (*at == '!' || *at == '$') { /* a comment, up to the end of its line */
      at += strcspn(at, "\n");
      if (!*at) break;
    }
    if (*at != '=') continue;
    const char *last = at;
    while (last > text && (last[-1] == ' ' || last[-1] == '\t')) last--;
    const char *name = last;
    while (name > text && is_of_name(name[-1])) name--;
    if (name == last) continue;
    const char *value = value_at(at + 1, &end);
    used += put_pair(made + used, name, (size_t)(last - name), value, (size_t)(end - value));
    at = end - 1; /* what ends it may begin a comment */
  }
  const bristle_fault_kind kind = used ? bristle_document_parse("pasted fields", made, used, document, fault)
                                       : bristle_node_fault(node, fault, "docs/joints.md has an example",
                                                            "found no pair NAME = VALUE");
  free(made);
  return kind;
}
