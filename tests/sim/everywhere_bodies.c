/* Every vector law on the rigs of the plane and of space, with random parameters, shapes and programs: as everywhere.c.
 */
#include "bristle/params.h"
#include "sim/random_rig.h"
#include "support/test.h"

typedef struct trial {
  const bristle_vector_law *law;
  double p[RANDOM_PARAM], end;
  random_inputs in[3];
} trial;

/* a plate or a ring under a load, thrown, pulled by forces or by a spring */
static bristle_rig planar(trial *x, int reduced)
{
  const double load = chance_decades(1, 100), mass = chance_decades(0.1, 10), size = chance_decades(0.02, 0.3);
  const int elements = x->law->f64[0]->info->nstate > 3; /* each of each cell is a switch: four cells are enough */
  const int ring = chance_between(0, 1) < 0.5 && !elements;
  bristle_rig rig = { .kind = BRISTLE_RIG_SLIDER };
  bristle_slider *s = &rig.as.slider;
  *s = (bristle_slider){ .mass = mass,
                         .inertia = mass * size * size * chance_between(0.2, 1),
                         .load = load,
                         .reduced = reduced,
                         .ring = ring,
                         .width = size,
                         .height = size * chance_between(0.3, 1),
                         .inner = chance_between(0, 1) < 0.5 ? 0 : 0.4 * size,
                         .outer = size,
                         .cells = 2,
                         .contact = { .vector = x->law, .p = x->p, .load = BRISTLE_LOAD_COEFFICIENT } };
  for (int i = 0; i < 3; i++)
    s->force[i] = random_sines(&x->in[i], load * (i == 2 ? size : 1) * chance_decades(0.1, 2));
  if (chance_between(0, 1) < 0.5) {
    s->stiffness = chance_decades(10, 1e3);
    for (int i = 0; i < 2; i++) s->anchor[i].offset = chance_between(-0.1, 0.1);
  }
  for (int i = 0; i < 3; i++) s->v[i] = chance_between(-1, 1) * (i == 2 ? 1 / size : 1);
  return rig;
}

static bristle_rig patch(trial *x) { return planar(x, 0); }
static bristle_rig reduced(trial *x)
{
  const bristle_row *limit = bristle_param_find(x->law->f64[0]->info, "limit");
  if (limit) x->p[limit->first] = 0; /* it knows no other */
  return planar(x, 1);
}

static bristle_rig ball(trial *x)
{
  const double mass = chance_decades(0.1, 10), arm = chance_decades(0.05, 1), across = mass * arm * arm;
  bristle_rig rig = { .kind = BRISTLE_RIG_BALL };
  rig.as.ball = (bristle_ball){ .mass = mass,
                                .arm = arm,
                                .inertia = { 1.1 * across, 1.1 * across, across * chance_between(0.1, 1) },
                                .gravity = 9.81,
                                .radius = arm * chance_decades(0.01, 0.3),
                                .load = chance_between(0, 10),
                                .preload = chance_between(0, 1) < 0.5 ? 0 : chance_decades(1e-3, 0.1),
                                .mu_s = 0.3,
                                .sum = 1, /* the larger of the two jumps in direction where they are equal */
                                .contact = { .vector = x->law, .p = x->p, .load = BRISTLE_LOAD_COEFFICIENT },
                                .tilt = chance_between(0.1, 3),
                                .azimuth = chance_between(-3, 3) };
  for (int i = 0; i < 3; i++) rig.as.ball.w[i] = chance_between(-3, 3);
  return rig;
}

static const struct {
  const char *name;
  int dim;
  bristle_rig (*make)(trial *);
} rigs[] = { { "planar patch", 2, patch }, { "planar, reduced", 2, reduced }, { "ball joint", 3, ball } };

static int admissible(const void *model, const double *p)
{
  bristle_error fault;
  return bristle_vector_check(model, p, &fault) == BRISTLE_STATUS_OK;
}

/* Some for the programs, some for the bristle lengths that a body of 1 m/s travels; where there are elements, for each
   time that one of a cell begins to slip. */
static size_t budget_of(const trial *x)
{
  const bristle_row *stiffness = bristle_param_find(x->law->f64[0]->info, "sigma0");
  const bristle_row *level = bristle_param_find(x->law->f64[0]->info, "fc");
  const double lengths = stiffness && level ? x->end * x->p[stiffness->first] / x->p[level->first] : 0;
  return (size_t)(20000 + 0.1 * lengths + (x->law->f64[0]->info->nstate > 3 ? 40000 : 0));
}

static void run(const bristle_vector_law *law, size_t r, int set, double end, random_tally *tally)
{
  const bristle_vector_model *model = law->f64[rigs[r].dim - 2];
  trial x = { .law = law, .end = model->info->nstate > 3 ? 0.3 * end : end }; /* elements cost more */
  char name[120];
  snprintf(name, sizeof name, "%s on %s, set %d", model->info->name, rigs[r].name, set);
  chance_begin(model->info->name, r, set);
  bristle_defaults(model->info, x.p);
  bristle_planar_defaults(model->info, x.p);
  if (set > 0) random_parameters(model->info, x.p, admissible, model);
  const bristle_rig rig = rigs[r].make(&x);
  if (rig_fits(&rig)) random_run(&rig, x.end, budget_of(&x), name, tally);
}

TEST(every_vector_law_runs_on_every_body)
{
  const int very_long = getenv("BRISTLE_LONG") != NULL, sets = very_long ? 6 : test_share(3, 2);
  const double end = very_long ? 0.3 : test_is_long() ? 0.03 : 0.01;
  random_tally tally = { 0 };
  for (int l = 0; l < bristle_vector_law_count(); l++)
    for (size_t r = 0; r < sizeof rigs / sizeof *rigs; r++)
      for (int set = 0; set < sets; set++) {
        const int heavy = sets == 2 && set && bristle_vector_law_at(l)->f64[0]->info->nstate > 3; /* ten seconds */
        if (!heavy) run(bristle_vector_law_at(l), r, set, end, &tally);
      }
  printf("  %d runs, %d with a residual above 1e-6 that they tell of, at most %.2g\n", tally.runs, tally.told,
         tally.worst);
  CHECK(tally.runs >= 15 * sets, "%d runs", tally.runs);
  CHECK(tally.told <= tally.runs / 20, "%d of %d runs miss energy", tally.told, tally.runs);
}
