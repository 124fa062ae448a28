/* bristle joint: friction forces and torques of a joint under recorded reactions and motion. */
#include "common/cli.h"

#include "fields.h"
#include "run.h"

#include "io/support.h"
#include "maths/elementary.h"

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

/* one bristle, along one axis or in the plane or in space */
static int shown_states(const joint_run *r)
{
  const bristle_info *info = r->file.friction.info;
  return !r->still && info->state_rows == 1 && info->nstate <= 3 ? info->nstate : 0;
}

int joint_couples(const joint_run *r)
{
  const bristle_joint_map rest = { .dim = bristle_joint_dim(r->file.joint.kind) };
  return isfinite(bristle_joint_couple(&r->file.joint, &rest).g);
}

int joint_columns(const joint_run *r, const char *name[JOINT_CELLS], const char *unit[JOINT_CELLS])
{
  static const char *const first[][2] = { { "t", "s" },      { "fx", "N" },   { "fy", "N" },   { "fz", "N" },
                                          { "tx", "N*m" },   { "ty", "N*m" }, { "tz", "N*m" }, { "mu", "" },
                                          { "slip", "m/s" }, { "N", "N" } };
  static const char *const bristles[3][3] = { { "z" }, { "z1", "z2" }, { "zx", "zy", "zz" } };
  const int states = shown_states(r);
  int count = 0;
  for (; count < 10; count++) name[count] = first[count][0], unit[count] = first[count][1];
  for (int i = 0; i < states; i++, count++)
    name[count] = bristles[states - 1][i], unit[count] = r->file.friction.info->state[0].unit;
  if (joint_couples(r)) {
    name[count] = "lambda", unit[count++] = "m/s";
    name[count] = "C0", unit[count++] = "1/s";
  }
  return count;
}

/* friction of one row: its line of output and its share of the totals; returns the power it takes from the motion */
static double report_row(joint_run *r, size_t row, const bristle_joint_friction *f, FILE *out, double *const *kept)
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
  if (r->still) memset(map.slip, 0, sizeof map.slip); /* nothing moves in static analysis */
  const bristle_joint_coupling coupling = bristle_joint_couple(j, &map);
  double values[JOINT_CELLS] = { joint_cell(r, T, row) };
  int count = 7;
  for (int i = 0; i < 3; i++) values[1 + i] = f->force[i], values[4 + i] = f->torque[i];
  values[count++] = summary_of(j, f->mu, f->mu_rot);
  values[count++] = slip;
  values[count++] = map.effective;
  for (int i = 0; i < shown_states(r); i++) values[count++] = r->s[i];
  if (isfinite(coupling.g)) values[count++] = coupling.lambda, values[count++] = coupling.c0;
  if (out) bristle_rows_write(out, count, values);
  for (int i = 0; i < count && kept; i++) kept[i][row] = values[i];
  r->most_force = fmax(r->most_force, norm3(f->force));
  r->most_torque = fmax(r->most_torque, norm3(f->torque));
  r->most_load = fmax(r->most_load, map.effective);
  r->most_slip = fmax(r->most_slip, fabs(slip));
  return -(f->force[2] * m.v + dot3(f->torque, m.omega));
}

static void run_rows(joint_run *r, FILE *out, double *const *kept)
{
  double rate[BRISTLE_LAW_SIZE], last = 0;
  const char *name[JOINT_CELLS], *unit[JOINT_CELLS];
  const int columns = joint_columns(r, name, unit);
  if (out) bristle_rows_head(out, columns, name, unit);
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
      if (r->still) bristle_joint_static(&r->file.joint, &loads, &m, &f);
      else bristle_joint_eval(&r->file.joint, r->s, &loads, &m, &f, rate);
    }
    const double power = report_row(r, row, &f, out, kept);
    if (row) r->dissipated += 0.5 * (power + last) * (joint_cell(r, T, row) - joint_cell(r, T, row - 1));
    last = power;
    if (out && ferror(out)) break; /* the end of the run reports it */
  }
}

/* ---- notes ---- */

/* preload and reactions together, and the file does not say how they act */
static void note_combine(const joint_run *r, const bristle_node *root, joint_notes *notes)
{
  const bristle_joint *j = &r->file.joint;
  const int preloaded = (j->inputs & BRISTLE_JOINT_INPUT_PRELOAD) && (j->preload_force > 0 || j->preload_torque > 0);
  if (!preloaded || !(j->inputs & ~(unsigned)BRISTLE_JOINT_INPUT_PRELOAD) || bristle_node_find(root, "combine")) return;
  snprintf(joint_note(notes), sizeof *notes->text,
           "the preload is added to the reactions, as Adams and RecurDyn do (combine: sum); Altair's page \"Friction "
           "Formulation\" takes the larger of the two frictions: combine: max");
}

/* the bristles that MotionSolve has where nobody has entered any: 100/mm, 0.316 s/mm, 0.0004 s/mm */
static void note_defaults(const joint_run *r, joint_notes *notes)
{
  static const struct {
    bristle_role role;
    double value;
  } theirs[] = { { BRISTLE_ROLE_STIFFNESS, 1e5 }, { BRISTLE_ROLE_DAMPING, 316 }, { BRISTLE_ROLE_VISCOUS, 0.4 } };
  const bristle_friction *f = &r->file.friction;
  for (int i = 0; i < 3; i++) {
    const bristle_row *row = bristle_param_role(f->info, theirs[i].role);
    if (!row || fabs(f->p[row->first] - theirs[i].value) > 1e-9 * theirs[i].value) return;
  }
  snprintf(joint_note(notes), sizeof *notes->text,
           "stiffness and damping are the values that MotionSolve recommends, not measured ones: while there are no "
           "measurements, Altair's page advises Dahl, which has only a level and a stiffness");
}

static void write_summary(const joint_run *r, const char *joint_path, const char *data_path, const char *output,
                          const joint_notes *notes)
{
  const bristle_joint *j = &r->file.joint;
  const char *kind = bristle_joint_kind_text(j->kind);
  bristle_json_print(stdout,
                     "{\n  'joint': %s,\n  'type': %s,\n  'model': %s,\n  'joint_file': %s,\n  'reactions': %s,\n",
                     j->name ? j->name : kind, kind, r->file.friction.info->name, joint_path, data_path);
  if (output) bristle_json_print(stdout, "  'output': %s,\n", output);
  bristle_json_print(stdout,
                     "  'rows': %zu,\n  'duration_s': %g,\n  'largest_force_N': %g,\n  'largest_torque_Nm': %g,\n"
                     "  'largest_load_N': %g,\n  'largest_slip_m_s': %g,\n  'work_against_friction_J': %g,\n"
                     "  'combine': %s,\n  'notes': [",
                     r->table->rows, joint_cell(r, T, r->table->rows - 1) - joint_cell(r, T, 0), r->most_force,
                     r->most_torque, r->most_load, r->most_slip, r->dissipated,
                     j->combine == BRISTLE_JOINT_COMBINE_SUM ? "sum" : "max");
  for (int i = 0; i < notes->count; i++) bristle_json_print(stdout, i ? ", %s" : "%s", notes->text[i]);
  bristle_json_print(stdout, "]\n}\n");
}

/* the same for people, where the rows go into a file */
static void tell_summary(const joint_run *r, const char *joint_path)
{
  printf("%s: %zu rows, %.4g s; ", joint_path, r->table->rows,
         joint_cell(r, T, r->table->rows - 1) - joint_cell(r, T, 0));
  printf("friction up to %.4g N and %.4g N*m, load up to %.4g N, slip up to %.4g m/s; friction takes %.4g J\n",
         r->most_force, r->most_torque, r->most_load, r->most_slip, r->dissipated);
}

/* ---- the verb ---- */

typedef struct request {
  const char *joint, *data, *output, *report;
  int json, still;
} request;

static bristle_fault_kind check_still(const joint_run *r, const char *path, bristle_fault *fault)
{
  if (!r->still || r->file.joint.statics != BRISTLE_JOINT_STATICS_OFF) return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_VALUE, "write `statics: bounded` into the file, or leave --static away",
            "this joint has no friction in static analysis");
  return fault_at(fault, path, 0, 0);
}

static int compute(joint_run *r, const request *q)
{
  const char *joint_path = q->joint, *data_path = q->data, *output = q->output;
  const int json = q->json;
  double *kept[JOINT_CELLS] = { NULL };
  int code = DONE;
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  bristle_output *out = NULL;
  joint_notes notes = { .count = 0 };
  bristle_fault fault;
  bristle_fault_kind kind = bristle_document_read(joint_path, &document, &fault);
  if (!kind && bristle_node_find(bristle_document_root(document), "fields"))
    kind = joint_fields(document, &tree, &notes, &fault);
  if (!kind)
    kind = bristle_joint_file_read(tree ? bristle_tree_root(tree) : bristle_document_root(document), &r->file, &fault);
  if (!kind) note_combine(r, bristle_document_root(document), &notes), note_defaults(r, &notes);
  if (!kind) kind = check_still(r, joint_path, &fault);
  if (!kind) kind = bristle_table_read(data_path, &r->table, &fault);
  if (!kind) kind = joint_pick_columns(r, &fault);
  if (!kind) kind = joint_check_rows(r, &fault);
  if (!kind && (output || (!json && !q->report)))
    kind = bristle_output_open(output, BRISTLE_OUTPUT_TABLE, &out, &fault);
  for (int i = 0; i < JOINT_CELLS && !kind && q->report && !code; i++)
    if (!(kept[i] = malloc((r->table->rows + 1) * sizeof **kept))) code = no_memory();
  if (!kind) run_rows(r, out ? bristle_output_stream(out) : NULL, q->report && !code ? kept : NULL);
  if (!kind && out) kind = bristle_output_commit(out, &fault);
  else bristle_output_discard(out);
  if (!kind && json) write_summary(r, joint_path, data_path, output, &notes);
  else if (!kind && (q->report || (output && strcmp(output, "-") != 0))) tell_summary(r, joint_path);
  for (int i = 0; i < notes.count && !kind && !json; i++) fprintf(stderr, "note: %s\n", notes.text[i]);
  if (!code && !kind && q->report) code = joint_report(r, joint_path, data_path, q->report, kept);
  if (!code && !kind && !json) tell_written(stdout, output && out ? output : NULL), tell_written(stdout, q->report);
  for (int i = 0; i < JOINT_CELLS; i++) free(kept[i]);
  bristle_tree_free(tree);
  bristle_document_free(document);
  bristle_table_free(r->table);
  if (kind) return fault_exit(&fault);
  return code ? code : finish_output(stdout);
}

static int run(void *asked)
{
  const request *q = asked;
  joint_run *r = calloc(1, sizeof *r);
  if (!r) return no_memory();
  r->still = q->still;
  const int code = compute(r, q);
  free(r);
  return code;
}

static const option options[] = {
  { "--reactions", "DATA.csv", OPTION_FILE, IN(request, data),
    .help = "reactions and motion; its columns are listed below",
    .ask = "no reactions given: use --reactions DATA.csv" },
  { "--static", NULL, OPTION_SWITCH, IN(request, still),
    .help =
        "static analysis: friction against the displacement since the first row, mu_s (1 - exp(-sigma0 s/mu_s)); the "
        "displacement is the column x, or the integral of the velocities" },
  OPTION_OUTPUT(
      request, OPTION_TABLE, "OUT.csv",
      "t, force fx fy fz, torque tx ty tz, mu, slip, N, the bristle z, lambda = |slip| fc^2/g and C0 = |slip| "
      "sigma0/g where the law has bristles; without it, the standard output. mu and slip have a sign along one "
      "axis, and are sizes when there are several. Written whole or not at all"),
  OPTION_REPORT(request, "a page with force and torque over time, the coefficient over the slip, and the bristles"),
  OPTION_JSON(request, "a summary on the standard output instead"),
  OPTIONS_END
};

static const option details[] = {
  GROUP("keys of a joint"),
  { "type", .help = "revolute, translational, cylindrical, spherical or universal" },
  { "geometry",
    .help = "{pin_radius, friction_arm, bending_arm, reaction_arm, overlap, overlap_rule, ball_radius, socket, "
            "cross_axis}, as the type needs them" },
  { "preload", .help = "{force: 5 N} or {torque: 0.1 N*m}" },
  { "inputs", .help = "[preload, reaction, bending, torsion] or all" },
  { "effect", .help = "all or sliding" },
  { "mu_s", .help = "0.3, when the law has no static level" },
  { "combine",
    .help = "sum adds the preload to the reactions (Adams, RecurDyn; the default);\nmax takes the larger of the "
            "two frictions, as Altair's page \"Friction Formulation\" does" },
  { "statics", .help = "off, or bounded: what --static computes" },
  { "friction", .help = "{model: lugre, parameters: {...}}, in coefficients: sigma0 in 1/m, fc without unit" },
  { "fields", .help = "{MU_STATIC: 0.16, MU_DYNAMIC: 0.12, STICTION_TRANSITION_VELOCITY: 4 mm/s, PIN_RADIUS: 10 mm, "
                      "...}, as Adams and MotionSolve call them, or one of their blocks as it stands, instead of "
                      "geometry, preload and friction: docs/joints.md" },
  { "units", .help = "m, mm or cm: lengths in the numbers of `fields` that have no unit" },
  GROUP("columns of the reactions; any separator, units in the header, - is the standard input"),
  { "t", .help = "time" },
  { "fx fy fz, mx my mz", .help = "reactions [N] and [N*m], those that the inputs need" },
  { "vz, w, wx wy wz", .help = "motion [m/s] and [rad/s], the last three of a spherical joint" },
  { "applied", .help = "[N or N*m], for laws that hold at rest (optional)" },
  OPTIONS_END
};

const verb verb_joint = {
  .name = "joint",
  .summary = "friction of a joint from recorded reactions and motion",
  .about = "Computes the friction force and torque on the moving body of a joint, row by row. All vectors are in the "
           "joint's frame; z is its axis. Between the rows everything changes linearly, and the law takes as many "
           "steps as it needs. The contact starts without deflection: begin the recording at rest.",
  .argument = { "JOINT.yaml", NULL, OPTION_FILE, IN(request, joint), .help = "the joint; its keys are listed below",
                .ask = "no joint given: name its file", .noun = "joint" },
  .options = options,
  .details = details,
  .examples = "bristle joint examples/joints/hinge.yaml --reactions examples/joints/hinge.csv\n"
              "bristle joint examples/joints/ball.yaml --reactions examples/joints/ball.csv -o friction.csv --json\n",
  .request = sizeof(request),
  .run = run,
};
