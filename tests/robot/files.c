/* Robots from files: URDF and MJCF of the same arm, and what is refused. */
#include "robot/random.h"
#include "robot/xml.h"

#include <math.h>

static bristle_robot robot;
static bristle_fault fault;

static const char *write_text(const char *text)
{
  static char path[] = "/tmp/bristle-robot-XXXXXX.xml";
  snprintf(path, sizeof path, "%s/bristle-robot-%d",
           getenv("TMPDIR") && strlen(getenv("TMPDIR")) < 8 ? getenv("TMPDIR") : "/tmp", (int)(size_t)rand() % 1000);
  FILE *file = fopen(path, "wb");
  if (!file) return path;
  fputs(text, file);
  fclose(file);
  return path;
}

static bristle_fault_kind read_text(const char *text)
{
  const char *path = write_text(text);
  memset(&fault, 0, sizeof fault);
  const bristle_fault_kind kind = bristle_robot_read(path, &robot, &fault);
  remove(path);
  return kind;
}

#define LINK(name, inertial) "<link name='" name "'>" inertial "</link>"
#define BODY(xyz, rpy, mass)                                                                         \
  "<inertial><origin xyz='" xyz "' rpy='" rpy "'/><mass value='" mass "'/>"                          \
  "<inertia ixx='0.02' ixy='0.001' ixz='-0.002' iyy='0.03' iyz='0.0015' izz='0.025'/></inertial>"
#define JOINT(name, type, parent, child, rest)                                                       \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" rest "</joint>"

static const char arm_urdf[] = "<?xml version='1.0'?>\n<!-- an arm -->\n<robot name='arm'>" LINK(
    "base", BODY("0 0 0.1", "0 0 0", "5")) LINK("upper", BODY("0.1 0 0.2", "0.3 -0.2 0.1", "2"))
    LINK("plate", BODY("0 0.05 0", "0 0 0.4", "0.5")) LINK("fore", BODY("0 0 0.15", "0 0.7 0", "1"))
        LINK("finger", BODY("0.02 0 0.01", "0 0 0", "0.2"))
            JOINT("shoulder", "revolute", "base", "upper",
                  "<origin xyz='0 0 0.3' rpy='0 0 0.5'/><axis xyz='0 2 0'/><limit lower='-2' upper='2.5' velocity='3' "
                  "effort='40'/><dynamics damping='0.5' friction='0.8'/>")
                JOINT("glue", "fixed", "upper", "plate", "<origin xyz='0.1 0 0.25' rpy='0.2 0 0'/>") JOINT(
                    "elbow", "continuous", "plate", "fore", "<origin xyz='0 0 0.1' rpy='0 -0.6 0'/><axis xyz='1 0 1'/>")
                    JOINT("grip", "prismatic", "fore", "finger", "<origin xyz='0 0 0.3'/><axis xyz='0 0 1'/>")
                        JOINT("tool", "fixed", "fore", "tip", "") LINK("tip", "") "</robot>";

TEST(robot_from_urdf)
{
  CHECK(!read_text(arm_urdf), "%s (line %zu)", fault.what, fault.line);
  CHECK(robot.tree.count == 3, "%d joints", robot.tree.count);
  CHECK(!strcmp(robot.joint[0].name, "shoulder") && !strcmp(robot.joint[2].name, "grip"), "%s", robot.joint[2].name);
  CHECK(robot.tree.body[2].prismatic && robot.tree.body[2].parent == 1, "%d", robot.tree.body[2].parent);
  CHECK_NEAR(robot.joint[0].upper, 2.5, 1e-15);
  CHECK_NEAR(robot.joint[0].effort, 40, 1e-15);
  CHECK(isnan(robot.joint[1].lower), "%g", robot.joint[1].lower);
  CHECK_NEAR(robot.tree.body[0].inertia[0], 2.5, 1e-15); /* the plate is a part of the upper arm */
  CHECK_NEAR(robot.tree.body[0].axis[1], 1, 1e-15);
}

static const char arm_mjcf[] =
    "<mujoco model='arm'><compiler angle='degree' eulerseq='XYZ'/>"
    "<default><joint damping='0.1'/><default class='big'><joint axis='0 1 0' armature='0.02' range='-90 90'/>"
    "</default></default><worldbody><body name='base' pos='0 0 0.3' euler='0 0 30' childclass='big'>"
    "<inertial pos='0 0 0' mass='5' diaginertia='1 1 1'/><body name='upper'>"
    "<joint name='shoulder'/><joint name='twist' axis='0 0 1' pos='0.02 0.01 0.1' range='-10 20'/>"
    "<inertial pos='0.1 0 0.2' axisangle='0 0 1 40' mass='2' diaginertia='0.02 0.03 0.025'/>"
    "<body name='fore' pos='0.1 0 0.25' xyaxes='1 0 0 0 0 1'>"
    "<joint name='slide' type='slide' axis='1 1 0'/><inertial pos='0 0 0.15' mass='1' "
    "fullinertia='0.02 0.03 0.025 0.001 -0.002 0.0015'/></body></body></body></worldbody>"
    "<actuator><position joint='shoulder' kp='50' kv='2'/></actuator></mujoco>";

TEST(robot_from_mjcf)
{
  CHECK(!read_text(arm_mjcf), "%s (line %zu)", fault.what, fault.line);
  CHECK(robot.tree.count == 3, "%d joints", robot.tree.count);
  CHECK_NEAR(robot.joint[0].upper, 1.5707963267948966, 1e-15);
  CHECK_NEAR(robot.joint[1].armature, 0.02, 1e-15);
  CHECK_NEAR(robot.joint[1].damping, 0.1, 1e-15);
  CHECK_NEAR(robot.joint[0].gain, 50, 1e-15);
  static const char named_main[] =
      "<mujoco><default><joint damping='0.3'/></default><worldbody><body childclass='main'>"
      "<joint name='j'/><inertial pos='0 0 0' mass='1'/></body></worldbody></mujoco>";
  CHECK(robot.tree.body[1].inertia[0] == 2 && robot.tree.body[0].inertia[0] == 0, "%g", robot.tree.body[0].inertia[0]);
  CHECK(robot.tree.body[2].prismatic && robot.tree.body[2].parent == 1, "%d", robot.tree.body[2].parent);
  CHECK(!read_text(named_main), "%s", fault.what);
  CHECK_NEAR(robot.joint[0].damping, 0.3, 1e-15);
}

TEST(robot_files_that_are_refused)
{
  static const char *const text[][2] = {
    { "", "no XML" },
    { "<robot", "the file ends inside" },
    { "<robot></robo>", "expected </robot>" },
    { "<robot a='1' a='2'/>", "given twice" },
    { "<sdf/>", "found <sdf>" },
    { "<robot><link name='a'/></robot>", "no joint that moves" },
    { "<robot><link name='a'/><link name='b'/></robot>", "both hang on nothing" },
    { "<robot><link name='a'/><joint name='j' type='ball'><parent link='a'/><child link='b'/></joint></robot>",
      "of the type 'ball'" },
    { "<robot><link name='a'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>",
      "which is not there" },
    { "<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
      "<axis xyz='0 0 0'/></joint></robot>",
      "has no direction" },
    { "<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
      "<axis xyz='${x} 0 0'/></joint></robot>",
      "found '${x}', expected a number" },
    { "<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
      "<origin xyz='0 0'/></joint></robot>",
      "found 2 numbers, expected 3" },
    { "<mujoco><worldbody><body><joint name='j' type='ball'/></body></worldbody></mujoco>", "neither hinge nor slide" },
    { "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody></mujoco>",
      "mass from its shapes" },
    { "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "has no name" },
    { "<mujoco><include file='x'/></mujoco>", "included file" },
    { "<mujoco><worldbody><body><joint name='j' stiffness='2'/></body></worldbody></mujoco>", "with a spring" },
    { "<!DOCTYPE a [<!ENTITY b 'c'>]><robot/>", "DTD" },
    { "<mujoco><default/><default/></mujoco>", "two <default> in one <mujoco>" },
    { "<mujoco><worldbody><body><joint name='j' class='nobody'/></body></worldbody></mujoco>", "no class of defaults" },
    { "<mujoco><worldbody><body><joint name='j' axis='0 1e200 0'/></body></worldbody></mujoco>", "has no direction" },
    { "<mujoco><worldbody><body><joint name='j'/><inertial pos='0 0 0' mass='1'/><inertial pos='0 0 0' mass='2'/>"
      "</body></worldbody></mujoco>",
      "two <inertial> in one <body>" },
    /* a branch that hangs on nothing, by a mistake in a name or in a circle, would silently be missing */
    { "<robot>" LINK("a", "") LINK("b", "") LINK("c", "") JOINT("j", "revolute", "a", "b", "")
          JOINT("k", "revolute", "bb", "c", "") "</robot>",
      "joint 'k' hangs on the link 'bb', which is not there" },
    { "<robot>" LINK("a", "") LINK("b", "") LINK("c", "") LINK("d", "") JOINT("j", "revolute", "a", "b", "")
          JOINT("k", "revolute", "c", "d", "") JOINT("l", "revolute", "d", "c", "") "</robot>",
      "joint 'k' does not hang on the link 'a'" },
    { "<robot>" LINK("a", "") LINK("b", "") LINK("b", "") JOINT("j", "revolute", "a", "b", "") "</robot>",
      "two links are called 'b'" },
    { "<robot>" LINK("a", "") LINK("b", BODY("0 0 1e200", "0 0 0", "1"))
          JOINT("j", "revolute", "a", "b", "") "</robot>",
      "more than 1e+06 m" },
    { "<robot>" LINK("a", "") LINK("b", "<inertial><mass value='1'/><mass value='2'/></inertial>")
          JOINT("j", "revolute", "a", "b", "") "</robot>",
      "two <mass> in one <inertial>" },
  };
  for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
    CHECK(read_text(text[k][0]), "%s", text[k][0]);
    CHECK(strstr(fault.what, text[k][1]), "'%s' does not say '%s'", fault.what, text[k][1]);
  }
}
