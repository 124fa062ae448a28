/* Any bytes as a robot, URDF or MJCF; what is read moves with finite torques, and now and then a log of its joints is
   identified. Where the bytes begin with a letter that is no '<', they are the columns' names of a log of the example's
   arm. */
#include "fuzz/folder.h"
#include "lab/robot.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_folder robot_folder;

static const char robot_plain[] =
    "<robot name='a'><link name='l'/><link name='m'><inertial><origin xyz='0.1 0 0'/><mass value='1'/><inertia "
    "ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='n'/><joint name='elbow' "
    "type='revolute'><parent link='l'/><child link='m'/><axis xyz='0 1 0'/></joint><joint name='q2' type='prismatic'>"
    "<parent link='m'/><child link='n'/></joint></robot>";

static void robot_sentence(const bristle_fault *fault)
{
  char sentence[1000];
  bristle_fault_text(fault, sentence, sizeof sentence);
  if (!fault->what[0] || strpbrk(sentence, "\n\r")) abort();
}

/* the first line as it is given, or with the names of the robot's first two joints; then two joints that move */
static void robot_log(const bristle_robot *robot, const uint8_t *head, size_t size)
{
  static char text[1 << 17];
  size_t used = 0;
  if (head) {
    const uint8_t *end = memchr(head, '\n', size);
    used = end ? (size_t)(end - head) : size;
    memcpy(text, head, used);
    text[used++] = '\n';
  } else {
    used = (size_t)snprintf(text, sizeof text, "t,%s,%s_torque,%s,%s_torque\n", robot->joint[0].name,
                            robot->joint[0].name, robot->joint[1].name, robot->joint[1].name);
  }
  for (int i = 0; i < 800; i++) {
    const double t = 0.01 * i, v = cos(3 * t), w = cos(2 * t);
    used += (size_t)snprintf(text + used, sizeof text - used, "%.2f,%.5f,%.4f,%.5f,%.4f\n", t, 0.3 * sin(3 * t),
                             2 * tanh(v / 0.01), 0.2 * sin(2 * t), tanh(w / 0.01) + w);
  }
  fuzz_write(robot_folder, "log.csv", text, used);
}

static void robot_identify(const char *path)
{
  static char log[200];
  static const char *const logs[] = { log, NULL };
  bristle_robot_request request = { .robot = path, .log = logs, .threads = 1 };
  bristle_robot_study *study;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  snprintf(log, sizeof log, "%s", fuzz_path(robot_folder, "log.csv"));
  if (bristle_robot_identify(&request, &study, &fault)) {
    robot_sentence(&fault);
    return;
  }
  FILE *out = fopen("/dev/null", "w");
  char model[200];
  if (!out) abort();
  bristle_robot_text(study, out);
  bristle_robot_json(study, out);
  fclose(out);
  snprintf(model, sizeof model, "%s", fuzz_path(robot_folder, "model.yaml"));
  if (bristle_robot_model(study, model, &fault)) abort();
  snprintf(model, sizeof model, "%s", fuzz_path(robot_folder, "page.html"));
  if (bristle_robot_page(study, model, &fault)) abort();
  bristle_robot_study_free(study);
}

static void robot_moves(const bristle_robot *robot)
{
  double q[BRISTLE_ROBOT_JOINTS], torque[BRISTLE_ROBOT_JOINTS];
  for (int k = 0; k < robot->tree.count; k++) q[k] = 0.1 * k;
  bristle_bodies_torques(&robot->tree, q, q, q, torque);
  for (int k = 0; k < robot->tree.count; k++)
    if (!isfinite(torque[k])) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static bristle_robot robot;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  char path[200];
  const int names = size && *data != '<' && *data > ' ';
  if (names) fuzz_write(robot_folder, "robot.xml", robot_plain, sizeof robot_plain - 1);
  else fuzz_write(robot_folder, "robot.xml", data, size);
  snprintf(path, sizeof path, "%s", fuzz_path(robot_folder, "robot.xml"));
  if (bristle_robot_read(path, &robot, &fault)) {
    robot_sentence(&fault);
    return 0;
  }
  robot_moves(&robot);
  if (robot.tree.count != 2) return 0;
  robot_log(&robot, names ? data : NULL, size);
  robot_identify(path);
  return 0;
}
