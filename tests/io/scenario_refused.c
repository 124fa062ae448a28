/* Scenarios that must be refused: each with the line, the column and a word of the message. */
#include "lab/scenario.h"

#include "support/test.h"

#include <unistd.h>

#define LUGRE "friction: {model: lugre}\n"
#define TIME "time: {end: 1}\n"
#define PULL LUGRE TIME "rig: spring-pull\nmass: 1\nstiffness: 2\nspeed: 3\n" /* lines 1 to 6 */
#define MOVE LUGRE TIME "rig: prescribed\n"                                   /* 1 to 3 */
#define PUSH LUGRE TIME "rig: mass\nmass: 1\n"                                /* 1 to 4 */
#define SERVO LUGRE TIME "rig: servo\nmass: 1\nkp: 1\ntarget: 0\n"            /* 1 to 6 */
#define SWING LUGRE TIME "rig: pendulum\n"
#define ROW LUGRE TIME "rig: chain\nmass: 1\ncoupling: 1\nstiffness: 1\nspeed: 1\n"
#define DRY "friction: {model: coulomb, parameters: {fc: 0.2}}\n"
#define SLIDE DRY TIME "rig: planar\nmass: 1\n"
#define LINKS LUGRE TIME "rig: arm\n"                                          /* 1 to 3 */
#define BALL DRY TIME "rig: ball-joint\nmass: 1\narm: 1\nradius: 1\n"

static const struct refusal {
  const char *text;
  size_t line, column;
  const char *words;
} refusals[] = {
  /* arm */
  { LINKS, 1, 1, "the key 'links' is missing; write links: [{mass: 2 kg, length: 0.4 m}]" },
  { LINKS "links: 2\n", 4, 8, "'links': found '2', expected a list" },
  { LINKS "links: []\n", 4, 8, "found 0 links, expected from 1 to 40" },
  { LINKS "links: [{length: 1}]\n", 4, 9, "the key 'mass' is missing; write mass: 1 kg" },
  { LINKS "links: [{mass: 1}]\n", 4, 9, "the key 'length' is missing; write length: 1 m" },
  { LINKS "links: [{mass: -1, length: 1}]\n", 4, 16, "found -1, expected a number above zero" },
  { LINKS "links: [{mass: 1, length: 1}, {mass: 1, length: 1 rad}]\n", 4, 49,
    "found '1 rad' (an angle), expected a length" },
  { LINKS "links: [{mass: 1, length: 1, centre: 0.5}]\n", 4, 9, "the key 'inertia' is missing" },
  { LINKS "links: [{mass: 1, length: 1, centre: 0, inertia: 0}]\n", 4, 50, "expected a non-zero inertia" },
  { LINKS "links: [{mass: 1, length: 1, mas: 2}]\n", 4, 30, "'mas' is no key here; did you mean 'mass'?" },
  { LINKS "links: [{mass: 1, length: 1, target: 2}]\n", 4, 38, "nothing follows it; add kp" },
  { LINKS "links: [{mass: 1, length: 1, kp: -2}]\n", 4, 34, "not negative" },
  { LINKS "links: [{mass: 1, length: 1, kp: 2 N/m}]\n", 4, 34, "found '2 N/m'" },
  { LINKS "links: [{mass: 1, length: 1, limit: 0}]\n", 4, 37, "above zero" },
  { LINKS "links: [{mass: 1, length: 1, torque: 1 N}]\n", 4, 38, "found '1 N' (a force), expected a torque" },
  { LINKS "links: [{mass: 1, length: 1, initial: {x: 1}}]\n", 4, 40, "'x' is no key here" },
  { LINKS "links: [{mass: 1, length: 1, initial: {q: 1 m}}]\n", 4, 43,
    "found '1 m' (a length), expected an angle in rad" },
  { LINKS "links: [{mass: 1, length: 1, friction: {model: lugr}}]\n", 4, 48, "did you mean 'lugre'?" },
  { LINKS "links: [{mass: 1, length: 1, friction: {model: coulomb, load: coefficient, parameters: {fc: 0.1}}}]\n", 4, 9,
    "the key 'load' is missing" },
  { TIME "rig: arm\nlinks: [{mass: 1, length: 1}]\n", 3, 9, "the key 'friction' is missing" },
  { LINKS "links: [{mass: 1, length: 1}]\npush: {z: 1}\n", 5, 8, "'z' is no key here" },
  { LINKS "links: [{mass: 1, length: 1}]\npush: {x: 1 N*m}\n", 5, 11,
    "found '1 N*m' (a torque), expected a force in N" },
  { LINKS "links: [{mass: 1, length: 1}]\ngravity: 1 N\n", 5, 10, "found '1 N' (a force)" },
  { LINKS "links: [{mass: 1, length: 1}]\ninitial: {q: 1}\n", 5, 1, "'initial' is no key here" },
  /* keys */
  { LUGRE TIME "mass: 1\n", 1, 1, "the key 'rig' is missing; write rig: spring-pull" },
  { LUGRE TIME "rig: springpull\n", 3, 6, "did you mean 'spring-pull'?" },
  { LUGRE TIME "rig: [mass]\n", 3, 6, "found a list, expected a single value" },
  { PULL "stifness: 3\n", 7, 1, "'stifness' is no key here; did you mean 'stiffness'?" },
  { PULL "motion: {sine: {}}\n", 7, 1, "'motion' is no key here" },
  { LUGRE TIME "rig: spring-pull\nstiffness: 2\nspeed: 3\n", 1, 1, "the key 'mass' is missing; write mass: 1 kg" },
  { TIME "rig: mass\nmass: 1\n", 1, 1, "the key 'friction' is missing" },
  { LUGRE "rig: mass\nmass: 1\n", 1, 1, "the key 'time' is missing" },
  { MOVE, 1, 1, "the key 'motion' is missing" },
  { LUGRE TIME "rig: servo\nmass: 1\ntarget: 0\n", 1, 1, "the key 'kp' is missing" },
  { PULL "mass: 2\n", 7, 1, "found the key 'mass' again" },
  { PULL "bristle: 2\n", 7, 10, "expected 1" },
  { PULL "title: [a]\n", 7, 8, "found a list" },
  /* step rules */
  { PULL "solver: {method: steprule}\n", 7, 18, "the step rule leaves the step to the host" },
  { PULL "solver: {method: steprule, step: 1 ms, dt_min: 1 ms}\n", 7, 48,
    "means something else in each rule; add rule" },
  { PULL "solver: {method: steprule, step: 1 ms, rule: lugre, dt_max: 1 ms}\n", 7, 61,
    "the rule 'lugre' has no parameter" },
  { PULL "solver: {method: steprule, step: 1 ms, rule: coulomb, c1: 1 ms, dt_min: 1 ms}\n", 7, 73, "two names" },
  { PULL "solver: {method: steprule, step: 1 ms, rule: coulomb, c1: 1 m}\n", 7, 59, "found '1 m' (a length)" },
  /* numbers and units */
  { LUGRE TIME "rig: mass\nmass: 1 m\n", 4, 7, "found '1 m' (a length), expected a mass in kg or a moment of inertia" },
  { LUGRE TIME "rig: mass\nmass: -1 kg\n", 4, 7, "found -1, expected a number above zero" },
  { LUGRE TIME "rig: mass\nmass: 0\n", 4, 7, "found 0, expected a number above zero" },
  { LUGRE TIME "rig: mass\nmass: nan\n", 4, 7, "found 'nan'" },
  { LUGRE TIME "rig: mass\nmass: .inf\n", 4, 7, "found '.inf'" },
  { LUGRE TIME "rig: mass\nmass: 1e999\n", 4, 7, "expected a finite number" },
  { LUGRE TIME "rig: mass\nmass: 1,5\n", 4, 7, "write a decimal point" },
  { LUGRE TIME "rig: mass\nmass: heavy\n", 4, 7, "found 'heavy'" },
  { LUGRE TIME "rig: mass\nmass: 1\ninertia: 1\n", 5, 10, "beside 'mass'" },
  { PULL "damping: -1\n", 7, 10, "not negative" },
  { PULL "damping: 1 N*m*s/rad\ninitial: {x: 1 m}\n", 8, 14, "'damping' on line 7 has made this rig rotary" },
  { "friction: {model: coulomb, parameters: {fc: 1 N}}\n" TIME "rig: mass\ninertia: 1\n", 1, 45,
    "'inertia' on line 4 has made this rig rotary" },
  { "friction: {model: coulomb, parameters: {fc: 1 N}}\n" TIME "rig: mass\nmass: 1\nforce: 1 N*m\n", 1, 45,
    "'force' on line 5 has made this rig rotary" },
  /* time and solver */
  { LUGRE "time: {end: 0}\nrig: mass\nmass: 1\n", 2, 13, "found 0, expected a number above zero" },
  { LUGRE "time: {end: -1 s}\nrig: mass\nmass: 1\n", 2, 13, "above zero" },
  { LUGRE "time: {end: 1 m}\nrig: mass\nmass: 1\n", 2, 13, "expected a time in s" },
  { LUGRE "time: {output: 1}\nrig: mass\nmass: 1\n", 2, 7, "the key 'end' is missing" },
  { LUGRE "time: {end: 1, output: 2}\nrig: mass\nmass: 1\n", 2, 24, "longer than the whole run" },
  { LUGRE "time: {end: 1, output: 0}\nrig: mass\nmass: 1\n", 2, 24, "above zero" },
  { LUGRE "time: {end: 10, output: 1 ns}\nrig: mass\nmass: 1\n", 2, 25, "1.0e+10 rows, expected at most 1e9" },
  { LUGRE "time: {end: 1, step: 2}\nrig: mass\nmass: 1\n", 2, 16, "'step' is no key here" },
  { LUGRE "time: 5\nrig: mass\nmass: 1\n", 2, 7, "expected a mapping" },
  { PULL "solver: {method: eluer}\n", 7, 18, "expected auto, native, adaptive, coupled, steprule or cvode" },
  { PULL "solver: {method: coupled}\n", 7, 18, "needs the length of its steps" },
  { PULL "solver: {rtol: 0}\n", 7, 16, "above zero" },
  { PULL "solver: {rtol: 1}\n", 7, 16, "above 0.1" },
  { PULL "solver: {atol: -1}\n", 7, 16, "not negative" },
  { PULL "solver: {step: 0}\n", 7, 16, "above zero" },
  /* friction */
  { "friction: {model: lugr}\n" TIME "rig: mass\nmass: 1\n", 1, 19, "there is no law 'lugr'; did you mean 'lugre'?" },
  { "friction: {model: lugre, parameters: {fs: 0.5, fc: 1}}\n" TIME "rig: mass\nmass: 1\n", 1, 43, "breaks a rule" },
  { "friction: {model: lugre, parameters: {sigma0: -1}}\n" TIME "rig: mass\nmass: 1\n", 1, 47, "outside" },
  { "friction: {model: lugre, parameters: {sigma: 1}}\n" TIME "rig: mass\nmass: 1\n", 1, 39, "did you mean 'sigma0'?" },
  { "friction: lugre\n" TIME "rig: mass\nmass: 1\n", 1, 11, "expected a mapping" },
  { "friction: {file: /nowhere/joint.yaml}\n" TIME "rig: mass\nmass: 1\n", 1, 18,
    "/nowhere/joint.yaml: the file cannot be read" },
  { "friction: {model: coulomb, load: coefficient, parameters: {fc: 0.1}}\n" TIME "rig: mass\nmass: 1\n", 1, 1,
    "the key 'load' is missing: the friction has the load form 'coefficient'" },
  { "friction: {model: karnopp}\n" TIME "rig: planar\nmass: 1\n", 1, 19, "has no vector form" },
  { "friction: {model: lugre, load: force}\n" TIME "rig: ball-joint\nmass: 1\n", 1, 11, "expected 'coefficient'" },
  /* initial values */
  { PUSH "initial: {y: 1}\n", 5, 11, "'y' is no key here" },
  { PUSH "initial: {x: 1 s}\n", 5, 14, "expected a length in m or an angle in rad" },
  { PUSH "initial: {z: [1]}\n", 5, 14, "found a list" },
  { MOVE "motion: {sine: {amplitude: 1, frequency: 1}}\ninitial: {v: 1}\n", 5, 14, "the motion is prescribed" },
  { MOVE "motion: {sine: {amplitude: 1, frequency: 1}}\ninitial: {x: 1}\n", 5, 14, "the motion is prescribed" },
  { PUSH "initial: {integral: 1}\n", 5, 11, "'integral' is no key here" },
  { "friction: {model: gms}\n" TIME "rig: mass\nmass: 1\ninitial: {z: 1}\n", 5, 14, "expected a list" },
  /* programs */
  { PUSH "force: {sin: {amplitude: 1, frequency: 1}}\n", 5, 9, "did you mean 'sine'?" },
  { PUSH "force: {}\n", 5, 8, "found no generator" },
  { PUSH "force: {sine: {amplitude: 1, frequency: 1}, ramp: {rate: 1}}\n", 5, 51, "found 'ramp' beside 'sine'" },
  { PUSH "force: {sine: {amplitude: 1}}\n", 5, 15, "the key 'frequency' is missing" },
  { PUSH "force: {sine: {frequency: 1}}\n", 5, 15, "the key 'amplitude' is missing" },
  { PUSH "force: {sine: {amplitude: 1 m, frequency: 1}}\n", 5, 27, "expected a force in N" },
  { PUSH "force: {sine: {amplitude: 1, frequency: 0}}\n", 5, 41, "above zero" },
  { PUSH "force: {sine: {amplitude: 1, frequency: 1 m}}\n", 5, 41, "expected a frequency in Hz" },
  { PUSH "force: {sines: []}\n", 5, 16, "found no waves" },
  { PUSH "force: {sines: {amplitude: 1}}\n", 5, 16, "expected a list" },
  { PUSH "force: {sine: {amplitude: 1, frequency: 1}, of: position}\n", 5, 45, "'of' is no key here" },
  { PUSH "force: {steps: {values: [1, x], duration: 1}}\n", 5, 29, "found 'x'" },
  { PUSH "force: {steps: {values: [], duration: 1}}\n", 5, 25, "found an empty list" },
  { PUSH "force: {steps: {values: [1, 2]}}\n", 5, 16, "the key 'duration' is missing" },
  { PUSH "force: {steps: {values: [1, 2], times: [0]}}\n", 5, 40,
    "found 1 times, expected as many as there are values, 2" },
  { PUSH "force: {steps: {values: [1, 2], times: [1, 1]}}\n", 5, 44, "not later than the one before" },
  { PUSH "force: {steps: {values: [1, 2], times: [0, 1], duration: 1}}\n", 5, 40, "both 'times' and 'duration'" },
  { PUSH "force: {knots: [[0, 0], [1]]}\n", 5, 25, "expected a time and a value" },
  { PUSH "force: {knots: [[1, 0], [0, 1]]}\n", 5, 26, "before the one of the last knot" },
  { PUSH "force: {ramp: {rate: 1, hold: -1}}\n", 5, 31, "never gets there" },
  { PUSH "force: {ramp: {rate: 1 N}}\n", 5, 22, "found '1 N'" },
  { PUSH "force: {trapezoid: {amplitude: 1, ramp: 0, hold: 0}}\n", 5, 20, "without any length" },
  { PUSH "force: {chirp: {amplitude: 1, from: 1, to: 2, duration: 0}}\n", 5, 57, "above zero" },
  { PUSH "force: {file: /nowhere/force.csv}\n", 5, 15, "/nowhere/force.csv: the file cannot be read" },
  { PUSH "force: {sine: {amplitude: 1, frequency: 1}, column: F}\n", 5, 53, "belongs to a file" },
  { MOVE "motion: 3\n", 4, 9, "expected a mapping" },
  { MOVE "motion: {file: /nowhere/motion.csv}\n", 4, 16, "check the name and the folder" },
  { MOVE "motion: {sine: {amplitude: 1 N, frequency: 1}}\n", 4, 28, "found '1 N' (a force), expected a length" },
  { MOVE "motion: {sine: {amplitude: 1 m, frequency: 1, offset: 1 m/s}}\n", 4, 55, "expected a length" },
  { MOVE "motion: {sine: {amplitude: 1 m/s, frequency: 1}, of: position}\n", 4, 28, "expected a length" },
  { MOVE "motion: {sine: {amplitude: 1, frequency: 1}, of: force}\n", 4, 50, "expected position or velocity" },
  { LUGRE TIME "rig: spring-pull\nmass: 1\nstiffness: 1\nspeed: {sine: {amplitude: 1, frequency: 1}}\n", 6, 8,
    "constant between steps" },
  { PUSH "load: heavy\n", 5, 7, "found 'heavy'" },
  /* rigs */
  { SERVO "observer: {}\n", 7, 11, "the key 'gain' is missing" },
  { SERVO "observer: {gain: 1, parameters: {sigma9: 1}}\n", 7, 34, "'sigma9' is no key here" },
  { SERVO "observer: {gain: 1, parameters: {fs: 0.1}}\n", 7, 38, "breaks a rule" },
  { DRY TIME "rig: servo\nmass: 1\nkp: 1\ntarget: 0\nobserver: {gain: 1}\n", 7, 11, "no parameters of the law lugre" },
  { SERVO "limit: 0\n", 7, 8, "above zero" },
  { SWING "gravity: 1\n", 1, 1, "the key 'inertia' is missing" },
  { SWING "mass: 1\n", 1, 1, "the key 'arm' is missing" },
  { SWING "inertia: 1\ngravity: 9.81 m/s^2\n", 5, 10, "without 'mass' and 'arm'" },
  { SWING "mass: 1\narm: 1\ngravity: 9.81 N*m\n", 6, 10, "expected an acceleration" },
  { SWING "inertia: 1\nvoltage: 1\n", 1, 1, "the key 'torque_constant' is missing" },
  { SWING "inertia: 1\nvoltage: 1\ntorque: 1\n", 6, 9, "beside 'voltage'" },
  { SWING "inertia: 1\ntorque: 1\ntorque_constant: 1\nresistance: 1\n", 5, 9, "expected 'voltage'" },
  { ROW "count: 1.5\n", 8, 8, "a whole number" },
  { ROW "count: 0\n", 8, 8, "above zero" },
  { ROW "count: 1e12\n", 8, 8, "expected at most" },
  { ROW "count: 3\nseed: -1\n", 9, 7, "not negative" },
  { ROW "count: 3\ninitial: {x: 1}\n", 9, 1, "'initial' is no key here" },
  { SLIDE, 1, 1, "the key 'load' is missing" },
  { SLIDE "load: 1\nshape: {}\n", 6, 8, "found 0 shapes" },
  { SLIDE "load: 1\nshape: {disc: {radius: 1}}\n", 6, 9, "did you mean 'disk'?" },
  { SLIDE "load: 1\nshape: {disk: {radius: 0}}\n", 6, 24, "above zero" },
  { SLIDE "load: 1\nshape: {ring: {inner: 2, outer: 1}}\n", 6, 15, "not larger" },
  { SLIDE "load: 1\nshape: {disk: {radius: 1}}\ncells: 1e9\n", 7, 8, "expected at most" },
  { SLIDE "load: 1\nshape: {disk: {radius: 1}}\nreduced: maybe\n", 7, 10, "expected false or true" },
  { SLIDE "load: 1\nshape: {disk: {radius: 1}}\nanchor: [1]\n", 7, 9, "found 1 numbers, expected 2" },
  { BALL, 1, 1, "the key 'inertia' is missing" },
  { BALL "inertia: [1, 2]\n", 7, 10, "found 2 numbers, expected 3" },
  { BALL "inertia: 1\ninitial: {w: 1}\n", 8, 14, "expected a list" },
  { BALL "inertia: 1\ncombine: mean\n", 8, 10, "expected sum or max" },
};

TEST(bad_scenarios_are_refused_at_their_place)
{
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    const struct refusal *c = &refusals[i];
    bristle_document *document = NULL;
    bristle_scenario *scenario = NULL;
    bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
    char said[1000];
    bristle_fault_kind kind = bristle_document_parse("test.yaml", c->text, strlen(c->text), &document, &fault);
    if (!kind) kind = bristle_scenario_read(bristle_document_root(document), &scenario, &fault);
    bristle_fault_text(&fault, said, sizeof said);
    CHECK(kind && !scenario, "taken:\n%s", c->text);
    CHECK(fault.line == c->line && fault.column == c->column && !strcmp(fault.file, "test.yaml"),
          "%zu:%zu expected; says\n    %s\n%s", c->line, c->column, said, c->text);
    CHECK(strstr(said, c->words) != NULL, "'%s' expected; says\n    %s", c->words, said);
    bristle_scenario_free(scenario);
    bristle_document_free(document);
  }
}

/* ---- tables ---- */

static const struct table_refusal {
  const char *csv;
  size_t line;
  const char *words;
} tables[] = {
  { "", 0, "empty" },
  { "t,v\n", 0, "found a header and no rows" },
  { "t,v\n0,0\n", 2, "found one row, expected two or more" },
  { "t,v\n0,0\n1,\n2,0\n", 3, "found an empty cell, expected a number" },
  { "t,v\n0,0\n1,nan\n2,0\n", 3, "found 'nan'" },
  { "t,v\n0,0\n1,1e999\n2,0\n", 3, "expected a finite number" },
  { "t,v\n0,0\n1,1\n1,2\n", 4, "found 1 twice" },
  { "t,v\n0,0\n2,1\n1,2\n", 4, "found 1 after 2" },
  { "t,y\n0,0\n2,1\n", 0, "expected one named 'v'" },
  { "v,x\n0,0\n2,1\n", 0, "expected one named 't'" },
  { "t [s],v [N]\n0,0\n2,1\n", 0, "found 'N' (a force)" },
  { "t [s],v [m/s],N [m]\n0,0,1\n2,1,1\n", 0, "found 'm' (a length)" },
  { "t,v\n-2,0\n-1,1\n", 0, "not above zero" },
};

TEST(bad_motion_files_are_refused_at_their_line)
{
  char path[] = "/tmp/bristle-motion-XXXXXX", text[200];
  close(mkstemp(path));
  snprintf(text, sizeof text, "rig: prescribed\nmotion: {file: %s}\n" LUGRE, path);
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    bristle_document *document = NULL;
    bristle_scenario *scenario = NULL;
    bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
    char said[1000];
    FILE *file = fopen(path, "w");
    CHECK(file != NULL, "%s", path);
    if (!file) return;
    fputs(tables[i].csv, file);
    fclose(file);
    bristle_document_parse("test.yaml", text, strlen(text), &document, &fault);
    CHECK(bristle_scenario_read(bristle_document_root(document), &scenario, &fault), "taken: %s", tables[i].csv);
    bristle_fault_text(&fault, said, sizeof said);
    CHECK(strstr(said, tables[i].words)
              && (!tables[i].line || (fault.line == tables[i].line && !strcmp(fault.file, path))),
          "line %zu and '%s' expected; says\n    %s", tables[i].line, tables[i].words, said);
    bristle_scenario_free(scenario);
    bristle_document_free(document);
  }
  unlink(path);
}
