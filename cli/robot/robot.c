/* bristle robot: the friction of all joints of a robot from its file and its logs. */
#include "common/cli.h"

#include "lab/robot.h"
#include "platform/platform.h"

typedef struct request {
  const char *given[BRISTLE_ROBOT_LOGS + 3]; /* identify ROBOT LOG... */
  const char *check[BRISTLE_ROBOT_LOGS + 1], *joint[BRISTLE_ROBOT_JOINTS + 1], *gain[BRISTLE_ROBOT_JOINTS + 1],
      *damping[BRISTLE_ROBOT_JOINTS + 1], *hold[BRISTLE_ROBOT_JOINTS + 1];
  const char *output, *report;
  double cutoff, from, to;
  long long threads;
  int json, quiet, trust;
  bristle_robot_study *study;
} request;

static int check(void *asked)
{
  const request *q = asked;
  if (!q->given[0] || strcmp(q->given[0], "identify"))
    return usage_error("what shall be done with the robot? `bristle robot identify ROBOT.urdf LOG.csv`");
  if (!q->given[1]) return usage_error("which robot? give its URDF or MJCF file");
  if (!q->given[2]) return usage_error("no log file given");
  if (q->to > 0 && q->from >= q->to)
    return usage_error("--from %g s does not lie before --to %g s: nothing would be left", q->from, q->to);
  return DONE;
}

/* the first joint that is not to be used; NULL: all are fine */
static const bristle_robot_result *worst(const bristle_robot_study *study)
{
  for (int j = 0; j < study->robot.tree.count; j++)
    if (study->joint[j].grade == BRISTLE_GRADE_BAD) return &study->joint[j];
  return NULL;
}

static int results(const request *q)
{
  bristle_fault fault;
  const bristle_robot_result *bad = worst(q->study);
  if (q->output && (!bad || q->trust) && bristle_robot_model(q->study, q->output, &fault)) return fault_exit(&fault);
  if (q->report && bristle_robot_page(q->study, q->report, &fault)) return fault_exit(&fault);
  FILE *const screen = q->output && !strcmp(q->output, "-") ? stderr : stdout;
  if (q->json) bristle_robot_json(q->study, stdout);
  else if (!q->quiet) {
    FILE *words = words_open(screen);
    bristle_robot_text(q->study, words);
    words_close(words, screen);
  }
  const int code = finish_output(stdout);
  if (code || !bad || q->trust) return code;
  return failure(UNCONVINCING, "joint %s is not to be used: %s%s", bad->name, bad->says ? bad->say[0] : "",
                 q->output ? "; no model was written (--trust writes it all the same)" : "");
}

static int run(void *asked)
{
  request *q = asked;
  bristle_fault fault;
  const bristle_robot_request robot = { .robot = q->given[1],
                                        .log = q->given + 2,
                                        .check = q->check,
                                        .joint = q->joint,
                                        .gain = q->gain,
                                        .damping = q->damping,
                                        .hold = q->hold,
                                        .cutoff = q->cutoff,
                                        .from = q->from,
                                        .to = q->to,
                                        .threads = q->threads ? (int)q->threads : platform_processors(),
                                        .settings = verb_command() };
  if (bristle_robot_identify(&robot, &q->study, &fault)) return fault_exit(&fault);
  return results(q);
}

static void clear(void *asked) { bristle_robot_study_free(((request *)asked)->study); }

static const option options[] = {
  { "--validate", "LOG.csv", OPTION_FILE, IN(request, check),
    .help = "a log that is not fitted, to check the result with", .most = BRISTLE_ROBOT_LOGS, .noun = "held-out logs" },
  OPTION_OUTPUT(request, OPTION_DOCUMENT, "robot.yaml",
                "all joints in one file; one of them is a model file: robot.yaml#elbow"),
  OPTION_REPORT(request, "a page with a card for each joint"),
  OPTION_JSON(request, "full result as JSON"),
  { "--quiet", NULL, OPTION_SWITCH, IN(request, quiet), .help = "no summary" },
  { "--trust", NULL, OPTION_SWITCH, IN(request, trust),
    .help = "writes the model and exits with 0 even where joints are not to be used" },
  GROUP("how the logs are read"),
  { "--joint", "NAME=COLUMN", OPTION_TEXT, IN(request, joint),
    .help =
        "the position column of a joint, where names do not say it; =-COLUMN where the log counts the other way round",
    .most = BRISTLE_ROBOT_JOINTS },
  { "--gain", "[NAME=]VALUE", OPTION_TEXT, IN(request, gain),
    .help = "N m at the joint for each ampere, for all joints or for one; a factor where the log has torques. "
            "Where it has commands: N m for each rad of the servo, estimated by default",
    .most = BRISTLE_ROBOT_JOINTS },
  { "--damping", "[NAME=]VALUE", OPTION_TEXT, IN(request, damping),
    .help = "N m s/rad of the servo, where the log has commands; by default it is part of the viscous friction",
    .most = BRISTLE_ROBOT_JOINTS },
  { "--hold", "NAME[=VALUE]", OPTION_TEXT, IN(request, hold),
    .help = "a joint that stands still at this position (0) in all logs", .most = BRISTLE_ROBOT_JOINTS },
  { "--from", "S", OPTION_QUANTITY, IN(request, from), .help = "first time that is used, of each log", .unit = "s" },
  { "--to", "S", OPTION_QUANTITY, IN(request, to), .help = "last time that is used", .unit = "s",
    .range = "a time above zero" },
  { "--cutoff", "HZ", OPTION_QUANTITY, IN(request, cutoff), .unit = "Hz", .range = "a frequency above zero",
    .help = "low-pass of motion and torque, zero phase; chosen from the data by default" },
  { "--threads", "N", OPTION_WHOLE, IN(request, threads),
    .help = "how many joints are fitted at once; without it all processors", .least = 1 },
  OPTIONS_END
};

const verb verb_robot = {
  .name = "robot",
  .summary = "the friction of all joints of a robot, from its file and its logs",
  .usage = "identify ROBOT.urdf LOG.csv [MORE.csv ...] [--validate LOG.csv] [-o robot.yaml] [options]",
  .about = "Fits the friction of every joint of a robot to logs of all its joints: positions, perhaps velocities, "
           "and torques or currents. Where a log has commands instead of torques, each joint is simulated with its "
           "servo. The torques that the bodies need are fitted at the same time, from the kinematics in the file, so "
           "that their masses need not be known. Joints are found by name, or by number in the order of the file. "
           "Held-out logs show how good the result is.",
  .argument = { "identify ROBOT.urdf LOG.csv", NULL, OPTION_FILE, IN(request, given),
                .help = "URDF or MJCF, then its logs", .most = BRISTLE_ROBOT_LOGS + 2, .noun = "logs at a time" },
  .options = options,
  .examples =
      "bristle robot identify examples/robot/arm.urdf examples/robot/record.csv -o arm.yaml --report arm.html\n",
  .request = sizeof(request),
  .check = check,
  .run = run,
  .clear = clear,
};
