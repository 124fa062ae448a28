/* Every picture of the playground as one number for each law: its usual parameters, then larger ones. The page computes
   the same in a browser. */
#include "play.h"

static void print(int law) { printf(" %08x%08x", play_bits(law, 1), play_bits(law, 0)); }

int main(void)
{
  for (int law = 0; law < bristle_law_count(); law++) {
    const bristle_info *info = bristle_law_at(law)->f64->info;
    printf("%s", info->name);
    play_usual(law);
    print(law);
    for (int r = 0; r < info->param_rows; r++)
      for (int k = 0; info->param[r].kind == BRISTLE_ROW_LOG && k < info->param[r].count; k++)
        play_parameters()[info->param[r].first + k] *= 1.25;
    if (play_refusal(law)[0]) printf(" refused");
    else print(law);
    putchar('\n');
  }
  return 0;
}
