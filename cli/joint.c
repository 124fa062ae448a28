/* bristle joint: friction forces and torques of a joint under recorded reactions and motion. */
#include "cli.h"

#include "joint_run.h"

#include <math.h>

static int fault_exit(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle joint: %s\n", text);
  return FAILED;
}

/* ---- output ---- */

static double norm3(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }
static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* one number for the coefficient or the slip: with its sign along an axis, its size when it has several components */
static double summary_of(const bristle_joint *j, const double along[3], const double about[3])
{
  double axis[3];
  joint_axis(j, axis);
  if (bristle_joint_dim(j->kind) > 1) return hypot(norm3(along), norm3(about));
  return along[2] + dot3(about, axis);
}

static void write_row(FILE *out, const double *values, int count)
{
  char line[16 * BRISTLE_NUMBER_SIZE];
  size_t used = 0;
  for (int i = 0; i < count; i++) {
    used += (size_t)bristle_number_write(values[i], line + used);
    line[used++] = i + 1 < count ? ',' : '\n';
  }
  fwrite(line, 1, used, out);
}

/* friction of one row: its line of output and its share of the totals; returns the power it takes from the motion */
static double report_row(joint_run *r, size_t row, const bristle_joint_friction *f, FILE *out)
{
  const bristle_joint *j = &r->file.joint;
  bristle_joint_loads loads;
  bristle_joint_motion m;
  bristle_joint_map map;
  joint_loads_at(r, row, &loads);
  joint_motion_at(r, row, &m);
  m.x = r->x;
  bristle_joint_resolve(j, &loads, &m, &map);
  const double slip = summary_of(j, f->slip, f->slip_rot);
  const double values[] = {
    joint_cell(r, T, row),           f->force[0], f->force[1],  f->force[2], f->torque[0], f->torque[1], f->torque[2],
    summary_of(j, f->mu, f->mu_rot), slip,        map.effective
  };
  if (out) write_row(out, values, (int)(sizeof values / sizeof *values));
  r->most_force = fmax(r->most_force, norm3(f->force));
  r->most_torque = fmax(r->most_torque, norm3(f->torque));
  r->most_load = fmax(r->most_load, map.effective);
  r->most_slip = fmax(r->most_slip, fabs(slip));
  return -(f->force[2] * m.v + dot3(f->torque, m.omega));
}

static void run_rows(joint_run *r, FILE *out)
{
  double rate[JOINT_STATES], last = 0;
  if (out) fputs("t [s],fx [N],fy [N],fz [N],tx [N*m],ty [N*m],tz [N*m],mu,slip [m/s],N [N]\n", out);
  for (size_t row = 0; row < r->table->rows; row++) {
    bristle_joint_friction f;
    if (row) {
      joint_step_to(r, row, &f);
    } else {
      bristle_joint_loads loads;
      bristle_joint_motion m;
      joint_loads_at(r, 0, &loads);
      joint_motion_at(r, 0, &m);
      m.x = r->x;
      bristle_joint_eval(&r->file.joint, r->s, &loads, &m, &f, rate);
    }
    const double power = report_row(r, row, &f, out);
    if (row) r->dissipated += 0.5 * (power + last) * (joint_cell(r, T, row) - joint_cell(r, T, row - 1));
    last = power;
    if (out && ferror(out)) break; /* the end of the run reports it */
  }
}

static void write_summary(const joint_run *r, const char *joint_path, const char *data_path, const char *output)
{
  const bristle_joint *j = &r->file.joint;
  const struct {
    const char *key, *text;
  } texts[] = {
    { "joint", j->name ? j->name : bristle_joint_kind_text(j->kind) },
    { "type", bristle_joint_kind_text(j->kind) },
    { "model", r->file.friction.info->name },
    { "joint_file", joint_path },
    { "reactions", data_path },
  };
  const struct {
    const char *key;
    double value;
  } numbers[] = {
    { "rows", (double)r->table->rows },
    { "duration_s", joint_cell(r, T, r->table->rows - 1) - joint_cell(r, T, 0) },
    { "largest_force_N", r->most_force },
    { "largest_torque_Nm", r->most_torque },
    { "largest_load_N", r->most_load },
    { "largest_slip_m_s", r->most_slip },
    { "work_against_friction_J", r->dissipated },
  };
  puts("{");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    printf("  \"%s\": ", texts[i].key);
    json_string(stdout, texts[i].text);
    puts(",");
  }
  if (output) {
    fputs("  \"output\": ", stdout);
    json_string(stdout, output);
    puts(",");
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    printf("  \"%s\": ", numbers[i].key);
    json_number(stdout, numbers[i].value);
    puts(i + 1 < sizeof numbers / sizeof *numbers ? "," : "");
  }
  puts("}");
}

/* ---- the verb ---- */

static int compute(joint_run *r, const char *joint_path, const char *data_path, const char *output, int json)
{
  bristle_document *document = NULL;
  bristle_output *out = NULL;
  bristle_fault fault;
  bristle_fault_kind kind = bristle_document_read(joint_path, &document, &fault);
  if (!kind) kind = bristle_joint_file_read(bristle_document_root(document), &r->file, &fault);
  if (!kind) kind = bristle_table_read(data_path, &r->table, &fault);
  if (!kind) kind = joint_pick_columns(r, &fault);
  if (!kind) kind = joint_check_rows(r, &fault);
  if (!kind && (output || !json)) kind = bristle_output_open(output, BRISTLE_OUTPUT_TABLE, &out, &fault);
  if (!kind) run_rows(r, out ? bristle_output_stream(out) : NULL);
  if (!kind && out) kind = bristle_output_commit(out, &fault);
  else bristle_output_discard(out);
  if (!kind && json) write_summary(r, joint_path, data_path, output);
  bristle_document_free(document);
  bristle_table_free(r->table);
  return kind ? fault_exit(&fault) : finish_output(stdout, "joint");
}

static int run(int argc, char **argv)
{
  const char *joint_path = NULL, *data_path = NULL, *output = NULL, *value;
  int json = 0;
  for (int i = 0; i < argc; i++) {
    if (is_flag(argv[i], "--json")) json = 1;
    else if ((value = flag_value(argc, argv, &i, "--reactions"))) data_path = value;
    else if ((value = flag_value(argc, argv, &i, "--output")) || (value = flag_value(argc, argv, &i, "-o")))
      output = value;
    else if (is_flag(argv[i], "-o") || is_flag(argv[i], "--output") || is_flag(argv[i], "--reactions"))
      return usage_error("joint", "'%s' needs the name of a file", argv[i]);
    else if (argv[i][0] == '-' && argv[i][1])
      return usage_error("joint", "'%s' is not an option of this verb", argv[i]);
    else if (joint_path) return usage_error("joint", "one joint at a time; got '%s' and '%s'", joint_path, argv[i]);
    else joint_path = argv[i];
  }
  if (!joint_path) return usage_error("joint", "which joint? give its file");
  if (!data_path) return usage_error("joint", "which reactions? give --reactions DATA.csv");
  if (json && output && !strcmp(output, "-"))
    return usage_error("joint", "--json and -o - would both write to the standard output");
  joint_run *r = calloc(1, sizeof *r);
  if (!r) {
    fputs("bristle joint: not enough memory\n", stderr);
    return FAILED;
  }
  int code = reserve_output("joint", output, BRISTLE_OUTPUT_TABLE);
  if (!code) code = compute(r, joint_path, data_path, output, json);
  free(r);
  return code;
}

const verb verb_joint = {
  "joint",
  "friction of a joint from recorded reactions and motion",
  "usage: bristle joint JOINT.yaml --reactions DATA.csv [-o OUT.csv] [--json]\n\n"
  "Computes the friction force and torque on the moving body of a joint, row by row. All vectors are in the joint's\n"
  "frame, z is its axis. Between the rows everything changes linearly; the law is stepped until its friction has\n"
  "settled, whatever the sampling. The contact starts virgin: begin the recording at rest.\n\n"
  "  JOINT.yaml   type: revolute, translational, cylindrical, spherical or universal\n"
  "               geometry: {pin_radius, friction_arm, bending_arm, reaction_arm, overlap, overlap_rule, ball_radius,\n"
  "               socket, cross_axis}, as the type needs them\n"
  "               preload: {force: 5 N} or {torque: 0.1 N*m}   inputs: [preload, reaction, bending, torsion] or all\n"
  "               effect: all or sliding   combine: sum or max   mu_s: 0.3, when the law has no static level\n"
  "               friction: {model: lugre, parameters: {...}}, in coefficients: sigma0 in 1/m, fc without unit\n"
  "  DATA.csv     t; reactions fx fy fz [N], mx my mz [N*m], those that the inputs need; motion vz [m/s], w [rad/s],\n"
  "               or wx wy wz for a spherical joint; applied [N or N*m] for laws that hold at rest (optional);\n"
  "               any separator, units in the header, - is the standard input\n"
  "  -o OUT.csv   t, force fx fy fz, torque tx ty tz, mu, slip, N; without it, the standard output. mu and slip have "
  "a\n"
  "               sign along one axis, and are sizes when there are several. Written whole or not at all\n"
  "  --json       a summary on the standard output instead\n\n"
  "examples:\n"
  "  bristle joint examples/joints/hinge.yaml --reactions examples/joints/hinge.csv\n"
  "  bristle joint examples/joints/ball.yaml --reactions examples/joints/ball.csv -o friction.csv --json\n",
  run,
};
