/* Modelica: the bearing or support friction of the standard library with the steady curve as its table. */
#include "plain/plain.h"

#include <string.h>

enum { ROWS = 24 };

/* words that Modelica keeps for itself, names of its own types, and that of the library which the model stands on */
static int is_reserved(const char *name)
{
  static const char words[] =
      "|algorithm|and|annotation|assert|block|break|class|connect|connector|constant|constrainedby|der|discrete|each|"
      "else|elseif|elsewhen|encapsulated|end|enumeration|equation|expandable|extends|external|false|final|flow|for|"
      "function|if|import|impure|in|initial|inner|input|loop|model|not|operator|or|outer|output|package|parameter|"
      "partial|protected|public|pure|record|redeclare|replaceable|return|stream|then|time|true|type|when|while|within|"
      "Real|Integer|Boolean|String|Clock|StateSelect|AssertionLevel|ExternalObject|Modelica|";
  char bars[BRIDGE_NAME + 2];
  snprintf(bars, sizeof bars, "|%s|", name);
  return strstr(words, bars) != NULL;
}

static bristle_fault_kind write_modelica(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  plain_model plain;
  buffer b = { 0 };
  char word[BRIDGE_NAME], name[BRIDGE_NAME + 10];
  bristle_fault_kind kind = plain_reduce(q, PLAIN_CURVE, &plain, r, fault);
  if (kind) return kind;
  bridge_identifier(q->output, word);
  snprintf(name, sizeof name, "%s%s", is_reserved(word) ? "friction_" : "", word);
  const int rotary = q->friction->rotary;
  const double slow = plain_mean(q, 1e-4 * plain.fastest);
  buffer_print(&b, "/*\n");
  plain_banner(&b, q, "  ");
  buffer_print(&b, "*/\nmodel %s \"%s\"\n  extends Modelica.Mechanics.%s(\n    %s = [0, %.9g", name,
               q->friction->info->name,
               rotary ? "Rotational.Components.BearingFriction" : "Translational.Components.SupportFriction",
               rotary ? "tau_pos" : "f_pos", slow);
  for (int i = 1; i <= ROWS; i++) { /* denser where the curve bends */
    const double part = (double)i / ROWS, v = plain.fastest * part * part * part;
    buffer_print(&b, "; %.9g, %.9g", v, plain_mean(q, v));
  }
  buffer_print(&b, "],\n    peak = %.9g);\nend %s;\n", plain.resting > slow && slow > 0 ? plain.resting / slow : 1.0,
               name);
  return plain_write(q, &b, r, fault);
}

const bridge_format format_modelica = { "modelica",
                                        "friction of the Modelica Standard Library with the steady curve as a table",
                                        ".mo", BRIDGE_LOAD | BRIDGE_DATA, write_modelica };
