/* A program in C with the plugin, without Python: mujoco_host PLUGIN MODEL.xml. Steps a model that carries its weight
 * and says how far it moves; 1 when it drifts. */
#include <mujoco/mujoco.h>

#include <math.h>
#include <stdio.h>

int main(int count, char **given)
{
  char why[1000] = "";
  if (count != 3) return 2;
  mj_loadPluginLibrary(given[1]);
  mjModel *m = mj_loadXML(given[2], NULL, why, sizeof why);
  mjData *d = m ? mj_makeData(m) : NULL;
  if (!d) {
    fprintf(stderr, "%s\n", why);
    return 1;
  }
  for (int i = 0; i < 1000; i++) mj_step(m, d);
  const double at = d->qpos[0];
  for (int i = 0; i < 1000; i++) mj_step(m, d);
  const double drift = fabs(d->qpos[0] - at);
  printf("%d states of plugins; sags by %.3g rad, then drifts by %.1g rad\n", (int)m->npluginstate, at, drift);
  mj_deleteData(d);
  mj_deleteModel(m);
  return !(fabs(at) < 1e-2 && drift < 1e-9);
}
