/* Scenario files: what every rig becomes, and what is refused, with the place and the words. */
#include "lab/scenario.h"

#include "support/test.h"

#include <unistd.h>

#define LUGRE "friction: {model: lugre, parameters: {sigma0: 1e5, sigma1: 316, sigma2: 0.4, fc: 1, fs: 1.5, vs: 1 mm/s}}\n"
#define TIME "time: {end: 20 s, output: 10 ms}\n"
#define PULL "rig: spring-pull\nmass: 1 kg\nstiffness: 2 N/m\nspeed: 0.1 m/s\n"

static bristle_fault fault;

/* a scenario of a text, with options as --set has them; NULL when it was refused */
static bristle_scenario *read_with(const char *text, const char *options)
{
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  bristle_scenario *scenario = NULL;
  memset(&fault, 0, sizeof fault);
  bristle_fault_kind kind = bristle_document_parse("test.yaml", text, strlen(text), &document, &fault);
  if (!kind) kind = bristle_tree_new(document, &tree, &fault);
  if (!kind && options) kind = bristle_tree_set(tree, NULL, options, &fault);
  if (!kind) kind = bristle_scenario_read(bristle_tree_root(tree), &scenario, &fault);
  CHECK(!kind == (scenario != NULL) && kind == fault.kind, "kind %d, fault %d", kind, fault.kind);
  bristle_tree_free(tree);
  bristle_document_free(document);
  return scenario;
}

static bristle_scenario *read_text(const char *text) { return read_with(text, NULL); }

static const char *said(void)
{
  static char text[1000];
  bristle_fault_text(&fault, text, sizeof text);
  return text;
}

/* the tests go on with a scenario in any case */
#define NEED(scenario)                                                                               \
  do {                                                                                               \
    CHECK((scenario) != NULL, "%s", said());                                                         \
    if (!(scenario)) return;                                                                         \
  } while (0)

static double at(const bristle_program *p, double t)
{
  bristle_piece piece = bristle_program_piece(p, t);
  return bristle_program_value(p, &piece, t, NULL);
}

static void write_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  CHECK(file != NULL, "cannot write %s", path);
  if (!file) return;
  fputs(text, file);
  fclose(file);
}

/* ---- rigs ---- */

TEST(a_spring_pull_becomes_an_axis)
{
  bristle_scenario *s = read_text(PULL
                                  "title: Stick-slip\ncaption: watch it\ndamping: 0.5 N*s/m\n" LUGRE TIME
                                  "initial: {x: 1 mm, v: 0.2, z: 2 um}\nsolver: {method: adaptive, rtol: 1e-6, atol: "
                                  "1e-9, step: 2 ms}\n");
  NEED(s);
  const bristle_axis *a = &s->rig.as.axis;
  CHECK(s->rig.kind == BRISTLE_RIG_AXIS && !s->rig.rotary, "kind %d", s->rig.kind);
  CHECK(!strcmp(s->title, "Stick-slip") && !strcmp(s->description, "watch it"), "%s", s->title);
  CHECK(a->mass == 1 && a->stiffness == 2 && a->damping == 0.5, "mass %g", a->mass);
  CHECK(at(&a->anchor, 0) == 0 && at(&a->anchor, 10) == 1 && at(&a->anchor, 20) == 2, "anchor");
  CHECK(a->x == 1e-3 && a->v == 0.2 && a->z[0] == 2e-6, "starts at %g %g %g", a->x, a->v, a->z[0]);
  CHECK(a->contact.law == bristle_law_find("lugre") && a->contact.p == s->friction.p && a->contact.p[0] == 1e5, "law");
  CHECK(s->options.end == 20 && s->options.output == 0.01 && s->options.method == BRISTLE_METHOD_ADAPTIVE, "time");
  CHECK(s->options.rtol == 1e-6 && s->options.atol == 1e-9 && s->options.step == 2e-3, "solver");
  bristle_scenario_free(s);
}

TEST(an_anchor_follows_steps_of_speed)
{
  bristle_scenario *s = read_text("rig: spring-pull\nmass: 1\nstiffness: 2\n" LUGRE TIME
                                  "speed: {steps: {values: [1 mm/s, 0, -2 mm/s], duration: 4 s}}\n");
  NEED(s);
  const bristle_program *anchor = &s->rig.as.axis.anchor;
  CHECK_NEAR(at(anchor, 2), 2e-3, 1e-15);
  CHECK_NEAR(at(anchor, 6), 4e-3, 1e-15);
  CHECK_NEAR(at(anchor, 10), 0.0, 1e-15);
  CHECK_NEAR(at(anchor, 20), -20e-3, 1e-15);
  bristle_scenario_free(s);
}

TEST(a_belt_moves_the_base)
{
  bristle_scenario *s = read_text("rig: belt\nmass: 2\nstiffness: 3\nspeed: 0.2 m/s\n" LUGRE TIME);
  NEED(s);
  CHECK(at(&s->rig.as.axis.base, 5) == 0.2 && at(&s->rig.as.axis.anchor, 5) == 0, "base");
  bristle_scenario_free(s);
}

TEST(units_of_a_mass_make_a_rig_rotary)
{
  bristle_scenario *s = read_text("rig: belt\nmass: 2 kg*m^2\nstiffness: 3 N*m/rad\nspeed: 60 rpm\n"
                                  "friction: {model: coulomb, parameters: {fc: 2 N*m}}\n" TIME
                                  "initial: {x: 90 deg}\n");
  NEED(s);
  CHECK(s->rig.rotary == 1, "rotary %d", s->rig.rotary);
  CHECK_NEAR(at(&s->rig.as.axis.base, 0), 6.283185307179586, 1e-15);
  CHECK_NEAR(s->rig.as.axis.x, 1.5707963267948966, 1e-15);
  bristle_scenario_free(s);
}

TEST(units_of_the_friction_make_a_rig_rotary)
{
  bristle_scenario *s = read_text(
      "rig: mass\nmass: 2\nforce: 1 N*m\nfriction: {model: coulomb, parameters: {fc: 2 N*m}}\n" TIME);
  NEED(s);
  CHECK(s->rig.rotary == 1, "rotary %d", s->rig.rotary);
  bristle_scenario_free(s);
}

TEST(a_servo_has_gains_a_target_and_an_observer)
{
  bristle_scenario *s = read_text("rig: servo\ninertia: 2e-3\nkp: 3 N*m/rad\nki: 4 N*m/(rad*s)\nkd: 6\nlimit: 5 N*m\n"
                                  "target: {steps: {times: [0, 1 s], values: [0, 1 rad]}}\n"
                                  "observer: {gain: 10, parameters: {sigma0: 2e5}}\n" LUGRE TIME
                                  "initial: {integral: 0.5, observer_z: 1e-6}\n");
  CHECK(!s && fault.kind == BRISTLE_FAULT_UNIT && fault.line == 9, "the friction has metres: %s", said());
  s = read_text(
      "rig: servo\ninertia: 2e-3\nkp: 3 N*m/rad\nki: 4 N*m/(rad*s)\nkd: 6\nlimit: 5 N*m\n"
      "target: {steps: {times: [0, 1 s], values: [0, 1 rad]}}\n"
      "observer: {gain: 10, parameters: {sigma0: 2e5}}\nfriction: {model: lugre, parameters: {fc: 0.7}}\n" TIME
      "initial: {integral: 0.5, observer_z: 1e-6}\n");
  NEED(s);
  const bristle_axis *a = &s->rig.as.axis;
  CHECK(a->mass == 2e-3 && a->kp == 3 && a->ki == 4 && a->kd == 6 && a->limit == 5, "gains");
  CHECK(at(&a->target, 0.5) == 0 && at(&a->target, 1.5) == 1, "target");
  CHECK(a->observer_gain == 10 && a->observer == s->observer && a->observer[0] == 2e5 && a->observer[3] == 0.7,
        "observer");
  CHECK(a->c == 0.5 && a->observer_z == 1e-6, "start");
  bristle_scenario_free(s);
}

TEST(a_pendulum_takes_a_voltage_or_a_torque)
{
  bristle_scenario *s = read_text("rig: pendulum\ninertia: 2\ngravity: 3 N*m\ntorque: 4 N*m\n"
                                  "friction: {model: coulomb}\n" TIME);
  NEED(s);
  CHECK(s->rig.as.axis.gravity == 3 && at(&s->rig.as.axis.force, 0) == 4 && s->rig.rotary, "torque");
  bristle_scenario_free(s);
  s = read_text(
      "rig: pendulum\nmass: 2\narm: 0.5 m\ngravity: 10\nvoltage: {ramp: {rate: 2 V/s}}\ntorque_constant: 0.2\n"
      "resistance: 4 ohm\nkp: 3 V/rad\nfriction: {model: coulomb}\n" TIME);
  NEED(s);
  const bristle_axis *a = &s->rig.as.axis;
  CHECK_NEAR(a->gravity, 10.0, 1e-15);
  CHECK_NEAR(a->mass, 0.5, 1e-15);
  CHECK_NEAR(a->gain, 0.05, 1e-15);
  CHECK_NEAR(a->drag, 0.01, 1e-15);
  CHECK_NEAR(at(&a->force, 3), 6.0, 1e-15);
  bristle_scenario_free(s);
}

TEST(bodies_are_read_with_their_shapes)
{
  bristle_scenario *s = read_text(
      "rig: chain\ncount: 100\nmass: 1\ncoupling: 2\nstiffness: 3\ndamping: 0.1\nspeed: 0.01\n"
      "scatter: 1 mm\nseed: 7\n" LUGRE TIME);
  NEED(s);
  CHECK(s->rig.kind == BRISTLE_RIG_CHAIN && s->rig.as.chain.count == 100 && s->rig.as.chain.seed == 7, "chain");
  bristle_scenario_free(s);
  s = read_text(
      "rig: planar\nmass: 2\nload: 20 N\nshape: {rectangle: {width: 0.3, height: 0.4}}\nreduced: true\ncells: 8\n"
      "stiffness: 100\nanchor: {x: {ramp: {rate: 0.01}}, y: 2 mm}\nforce: {torque: 0.1 N*m}\n"
      "friction: {model: lugre, parameters: {sigma0: 1e6, sigma1: 80, sigma2: 0.2, fc: 1, fs: 1.2}}\n" TIME
      "initial: {x: 1 mm, angle: 180 deg, vy: 3, omega: 60 rpm}\n");
  NEED(s);
  const bristle_slider *slider = &s->rig.as.slider;
  CHECK_NEAR(slider->inertia, 2 * 0.25 / 12, 1e-14);
  CHECK(slider->reduced && slider->cells == 8 && at(&slider->anchor[1], 0) == 2e-3 && slider->v[1] == 3, "slider");
  CHECK_NEAR(at(&slider->anchor[0], 10), 0.1, 1e-15);
  CHECK_NEAR(slider->x[2], 3.141592653589793, 1e-15);
  CHECK(slider->contact.vector == bristle_vector_law_find("lugre") && at(&slider->force[2], 0) == 0.1, "contact");
  bristle_scenario_free(s);
  s = read_text(
      "rig: ball-joint\nmass: 2\narm: 0.3\ninertia: [0.2, 0.2, 0.01]\nradius: 10 mm\npreload: 0.1\ncombine: max\n"
      "friction: {model: lugre, parameters: {sigma0: 1e5, sigma1: 300, sigma2: 0.4, fc: 0.25, fs: 0.3}}\n" TIME
      "initial: {tilt: 30 deg, w: [0, 0, 1 rad/s]}\n");
  NEED(s);
  const bristle_ball *ball = &s->rig.as.ball;
  CHECK(ball->inertia[2] == 0.01 && ball->radius == 0.01 && !ball->sum && ball->w[2] == 1 && ball->gravity == 9.81,
        "ball");
  bristle_scenario_free(s);
}

TEST(arms_are_read_link_by_link)
{
  bristle_scenario *s = read_text(
      "rig: arm\nlinks:\n  - {mass: 2 kg, length: 40 cm, initial: {q: 30 deg, z: 1e-4}}\n"
      "  - {mass: 1, length: 0.3, centre: 0.1 m, inertia: 0.02, kp: 50 N*m/rad, kd: 2, limit: 9, target: 0.5,\n"
      "     load: 3 N, friction: {model: coulomb, load: coefficient, parameters: {fc: 0.2}}, initial: {v: -1}}\n"
      "push: {y: {ramp: {rate: 2 N/s}}}\nfriction: {model: lugre}\n" TIME);
  NEED(s);
  const bristle_arm *arm = &s->rig.as.arm;
  CHECK(s->rig.kind == BRISTLE_RIG_ARM && arm->count == 2 && arm->gravity == 9.81 && s->rig.rotary, "arm");
  CHECK_NEAR(arm->link[0].q, 0.5235987755982988, 1e-15);
  CHECK_NEAR(arm->link[0].inertia, 2 * 0.16 / 12, 1e-15);
  CHECK(arm->link[0].centre == 0.2 && arm->link[0].z[0] == 1e-4 && arm->link[1].v == -1, "first link");
  CHECK(arm->link[1].centre == 0.1 && arm->link[1].inertia == 0.02 && arm->link[1].kp == 50 && arm->link[1].limit == 9,
        "second link");
  CHECK(arm->link[0].contact.law == bristle_law_find("lugre") && arm->link[1].contact.law == bristle_law_find("coulomb")
            && arm->link[1].contact.load == BRISTLE_LOAD_COEFFICIENT && arm->link[1].contact.p[0] == 0.2,
        "laws");
  CHECK(at(&arm->link[1].load, 0) == 3 && at(&arm->link[1].target, 0) == 0.5 && at(&arm->push[1], 2) == 4, "programs");
  bristle_scenario_free(s);
}

TEST(laws_with_several_states_start_where_they_are_told)
{
  bristle_scenario *s = read_text("rig: mass\nmass: 1\nfriction: {model: armstrong}\n" TIME
                                  "initial: {z: 1e-6, rest: 2 s, mode: 1}\n");
  NEED(s);
  const bristle_info *info = s->friction.info;
  for (int i = 0; i < info->state_rows; i++) {
    const char *name = info->state[i].name;
    const double expected = !strcmp(name, "z") ? 1e-6 : !strcmp(name, "rest") ? 2 : !strcmp(name, "mode") ? 1 : 0;
    CHECK(s->rig.as.axis.z[info->state[i].first] == expected, "%s", name);
  }
  bristle_scenario_free(s);
  s = read_text("rig: mass\nmass: 1\nfriction: {model: gms}\n" TIME "initial: {z: [1e-6, 2e-6]}\n");
  NEED(s);
  const int first = s->friction.info->state[0].first;
  CHECK(s->rig.as.axis.z[first] == 1e-6 && s->rig.as.axis.z[first + 1] == 2e-6, "gms");
  bristle_scenario_free(s);
}

/* ---- programs ---- */

static const struct motion_case {
  const char *motion;
  int velocity;
  double t[4], y[4];
} motions[] = {
  { "{sine: {amplitude: 2, frequency: 0.25 Hz, phase: 90 deg, offset: 1}}", 0, { 0, 1, 2, 4 }, { 3, 1, -1, 3 } },
  { "{sine: {amplitude: 2 m/s, frequency: 0.25 Hz}}", 1, { 0, 1, 2, 3 }, { 0, 2, 0, -2 } },
  { "{sine: {amplitude: 2, frequency: 0.25}, of: velocity}", 1, { 0, 1, 2, 3 }, { 0, 2, 0, -2 } },
  { "{sines: [{amplitude: 2, frequency: 0.25}, {amplitude: 1, frequency: 0.25, offset: 3}]}",
    0,
    { 0, 1, 2, 3 },
    { 3, 6, 3, 0 } },
  { "{triangle: {amplitude: 4 mm, frequency: 0.25}}", 0, { 0, 1, 3, 4.5 }, { 0, 4e-3, -4e-3, 2e-3 } },
  { "{trapezoid: {speed: 2, ramp: 1, hold: 2, rest: 1}}", 1, { 0.5, 2, 4.5, 7 }, { 1, 2, 0, -2 } },
  { "{chirp: {amplitude: 1, from: 0.25, to: 0.25, duration: 10}}", 0, { 0, 1, 2, 3 }, { 0, 1, 0, -1 } },
  { "{steps: {values: [1 mm/s, 2 mm/s], duration: 2}}", 1, { 0, 1.9, 2, 9 }, { 1e-3, 1e-3, 2e-3, 2e-3 } },
  { "{ramp: {rate: 2 m/s^2, from: 1, hold: 5}}", 1, { 0, 1, 2, 9 }, { 1, 3, 5, 5 } },
  { "{ramp: {rate: 2 m/s}}", 0, { 0, 1, 2, 9 }, { 0, 2, 4, 18 } },
  { "{ramp: {rate: 2, hold: 3 s}}", 1, { 0, 1, 3, 9 }, { 0, 2, 6, 6 } },
  { "{knots: [[0, 0], [1, 2], [1, 4], [3 s, 0]]}", 1, { 0.5, 1, 2, 5 }, { 1, 4, 2, 0 } },
};

TEST(generators_become_programs)
{
  for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
    const struct motion_case *m = &motions[i];
    char text[400];
    snprintf(text, sizeof text, "rig: prescribed\nmotion: %s\n%s", m->motion, LUGRE TIME);
    bristle_scenario *s = read_text(text);
    CHECK(s != NULL, "%s: %s", m->motion, said());
    if (!s) continue;
    CHECK(s->rig.as.driven.velocity == m->velocity, "%s", m->motion);
    for (int k = 0; k < 4; k++)
      CHECK(fabs(at(&s->rig.as.driven.motion, m->t[k]) - m->y[k]) < 1e-12, "%s at %g: %g", m->motion, m->t[k],
            at(&s->rig.as.driven.motion, m->t[k]));
    bristle_scenario_free(s);
  }
}

TEST(a_motion_comes_from_a_file)
{
  char path[] = "/tmp/bristle-motion-XXXXXX", text[500];
  close(mkstemp(path));
  write_file(path, "time [ms],velocity [mm/s],N [N]\n0,0,10\n1000,20,20\n3000,0,30\n");
  snprintf(text, sizeof text,
           "rig: prescribed\nmotion: {file: %s}\nfriction: {model: coulomb, load: coefficient, "
           "parameters: {fc: 0.2}}\n",
           path);
  bristle_scenario *s = read_text(text);
  CHECK(s != NULL, "%s", said());
  if (s) {
    const bristle_driven *d = &s->rig.as.driven;
    CHECK(d->velocity == 1 && s->options.end == 3 && s->motion->rows == 3, "end %g", s->options.end);
    CHECK_NEAR(at(&d->motion, 2), 0.01, 1e-15);
    CHECK_NEAR(at(&d->load, 0.5), 15.0, 1e-15);
  }
  bristle_scenario_free(s);
  write_file(path, "t,x\n0,0\n1,0.2\n");
  s = read_text(text);
  CHECK(!s && strstr(said(), "'load' is missing"), "%s", said());
  char *load = strstr(text, "load: coefficient, ");
  memset(load, ' ', strlen("load: coefficient, "));
  s = read_text(text);
  CHECK(s && !s->rig.as.driven.velocity && at(&s->rig.as.driven.motion, 0.5) == 0.1, "%s", said());
  bristle_scenario_free(s);
  unlink(path);
}

TEST(a_model_file_may_be_changed)
{
  char path[] = "/tmp/bristle-model-XXXXXX", text[300];
  close(mkstemp(path));
  write_file(path, "bristle: 1\nmodel: lugre\nparameters: {sigma0: 3e5 N/m, fc: 2, fs: 3}\n");
  snprintf(text, sizeof text, "rig: mass\nmass: 1\nfriction: {file: %s}\n" TIME, path);
  bristle_scenario *s = read_with(text, "friction.fc=2.5");
  CHECK(s && s->friction.p[0] == 3e5 && s->friction.p[3] == 2.5 && s->friction.p[4] == 3, "%s", said());
  bristle_scenario_free(s);
  s = read_with(text, "friction.sigma0=-1");
  CHECK(!s && !strncmp(said(), "option set friction.sigma0=-1: ", 31) && strstr(said(), "outside"), "%s", said());
  bristle_scenario_free(s);
  unlink(path);
}

/* ---- overrides ---- */

TEST(options_change_values)
{
  bristle_scenario *s = read_with(PULL LUGRE TIME, "friction.sigma0=2e5 N/m,time.end=5s,mass=3,initial.z=1e-6");
  NEED(s);
  CHECK(s->friction.p[0] == 2e5 && s->options.end == 5 && s->rig.as.axis.mass == 3 && s->rig.as.axis.z[0] == 1e-6,
        "set");
  bristle_scenario_free(s);
  s = read_with(PULL LUGRE TIME, "friction.parameters={fc: 2, fs: 3},speed={steps: {values: [1, 2], duration: 3}}");
  NEED(s);
  CHECK(s->friction.p[3] == 2 && s->friction.p[4] == 3 && at(&s->rig.as.axis.anchor, 4) == 5, "maps and lists");
  bristle_scenario_free(s);
}

static const struct option_case {
  const char *option, *said;
} wrong_options[] = {
  { "friction.sigma0=2e5 N",
    "option set friction.sigma0=2e5 N: 'sigma0': found '2e5 N' (a force), expected a stiffness in N/m" },
  { "friction.sigmaO=1", "option set friction.sigmaO=1: 'sigmaO' is no key here; did you mean 'sigma0'?" },
  { "mass=-1", "option set mass=-1: 'mass': found -1, expected a number above zero" },
  { "mass", "option set mass: found 'mass', expected NAME=VALUE" },
  { "mass=1,2", "option set 2: found '2', expected NAME=VALUE" },
  { "mass=", "option set mass=: found nothing after '='" },
  { "=1", "option set =1: found no name before '='" },
  { "mass.heavy=1", "option set mass.heavy=1: 'mass' holds a value, expected keys below it" },
  { "a..b=1", "option set a..b=1: found an empty name" },
  { "a.=1", "option set a.=1: the name ends with a point" },
  { "time.end=[1,2", "option set time.end=[1,2: " },
  { "time.end=5 parsecs", "option set time.end=5 parsecs: 'end': 'parsecs' is no unit" },
  { "mas=1", "option set mas=1: 'mas' is no key here; did you mean 'mass'?" },
  { "solver.method=rk4", "option set solver.method=rk4: 'method': found 'rk4', expected auto" },
};

TEST(wrong_options_are_named)
{
  for (size_t i = 0; i < sizeof wrong_options / sizeof *wrong_options; i++) {
    bristle_scenario *s = read_with(PULL LUGRE TIME, wrong_options[i].option);
    CHECK(!s, "%s was taken", wrong_options[i].option);
    CHECK(!strncmp(said(), wrong_options[i].said, strlen(wrong_options[i].said)), "%s:\n    %s",
          wrong_options[i].option, said());
    bristle_scenario_free(s);
  }
}
