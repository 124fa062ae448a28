/* What a user of the installed library writes; valid C and C++. */
#include <bristle/api.h>
#include <bristle/bristle.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
  const bristle_law *law = bristle_law_find("lugre");
  double p[64], s[64] = { 0 }, f = 0;
  bristle_input in = { 0 };
  bristle_error error;
  if (!law) return 1;
  bristle_defaults(law->f64->info, p);
  if (bristle_check(law->f64, p, &error) != BRISTLE_STATUS_OK) return 1;
  printf("bristle %s\n", strcmp(bristle_version(), BRISTLE_VERSION) ? "of two versions" : bristle_version());
  in.v = 1;
  in.n = 1;
  in.h = 1e-3;
  in.load = law->f64->info->load;
  for (int i = 0; i < 1000; i++) f = law->f64->step(p, s, &in, NULL);
  printf("%s glides with its steady force: %s\n", law->name, f == law->f64->steady(p, &in) ? "yes" : "no");
  printf("derivatives: %s\n",
         law->diff->directions == 3 + law->f64->info->nstate + law->f64->info->nparam ? "yes" : "no");
  return 0;
}
