/* The law with the page's parameters as C: the files that `bristle export --to c99` writes, into the page's files. */
#include "play.h"

#include "bridge.h"
#include "bristle/api.h"

#include <string.h>

/* "" when friction.c and its companions were written, or why not. `load` is a bristle_load. */
PLAY(play_export) const char *play_export(int law, int load, int rotary)
{
  static bristle_fault fault;
  static bridge_result result;
  static char text[1000];
  const bristle_law *chosen = bristle_law_at(law);
  bristle_friction friction = {
    .info = chosen->f64->info, .law = chosen, .load = (bristle_load)load, .rotary = rotary
  };
  memcpy(friction.p, play_parameters(), (size_t)friction.info->nparam * sizeof *friction.p);
  const bridge_request request = {
    .friction = &friction, .model = chosen->name, .output = "friction.c", .version = BRISTLE_VERSION, .origin = ""
  };
  text[0] = '\0';
  if (bridge_export(bridge_format_find("c99"), &request, &result, &fault))
    bristle_fault_text(&fault, text, sizeof text);
  return text;
}
