/* Friction in joints: geometry and reactions become load, slip and lever; any law of the library does the rest.
 *
 *   #include <bristle/joint.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     double p[BRISTLE_LAW_SIZE], state[BRISTLE_LAW_SIZE] = { 0 };
 *     bristle_joint hinge;
 *     bristle_joint_friction out;
 *     bristle_joint_init(&hinge, BRISTLE_JOINT_REVOLUTE);
 *     bristle_defaults(bristle_joint_use(&hinge, "coulomb", p), p); // a coefficient of 1
 *     hinge.pin_radius = hinge.friction_arm = hinge.bending_arm = 0.01;
 *     bristle_joint_step(&hinge, state, &(bristle_joint_loads){ .force = { 100, 0, 0 } },
 *                        &(bristle_joint_motion){ .omega = { 0, 0, 1 }, .h = 1e-3 }, &out);
 *     printf("%.2f N m\n", out.torque[2]);
 *   }
 * It prints "-1.00 N m".
 *
 * Conventions. Everything is given and returned in the joint frame, whose z is the joint's axis. Velocities are those
 * of the moving body relative to the other one. Force, torque and mu are what the MOVING BODY FEELS: they oppose its
 * slip. (bristle.h returns resistances; here the sign is turned once, because mechanisms add up forces on bodies.)
 * The law's parameters are in COEFFICIENT form (bristle_convert), so that its value is the friction coefficient; slip
 * is a speed at the rubbing surface, lever * omega for rotations, so that speeds and stiffness keep their metres.
 *
 *   joint           slip at the surface    friction
 *   revolute        Rp omega               T = mu (Rp F_rad + Rn F_ax + (Rp/Rb) M_bend + T_pre/mu_s)
 *   universal       Rp omega               the same about cross_axis: one pin of the cross; use two for both pins
 *   translational   v                      F = mu (F_rad + M_bend/Xs + M_tors/Rn + F_pre/mu_s)
 *   cylindrical     (v, Rp omega)          F = mu_1 (N + F_pre/mu_s), T = mu_2 (Rp N + T_pre/mu_s),
 *                                          N = F_rad + M_bend/Xs
 *   spherical       R omega, 3-D           T = R N (mu - n (n mu)) + mu T_pre/mu_s, N = |F|, n = F/N
 *
 * F_rad and M_bend are the parts across the axis, F_ax and M_tors along it; Rp pin_radius, Rn friction_arm (revolute)
 * or reaction_arm (translational), Rb bending_arm, Xs the overlap, R ball_radius. A preload is a friction value: the
 * force or torque it takes to break away without any reaction, hence the division by mu_s.
 * The structure is that of Adams, RecurDyn and MotionSolve; their exact factors are not all published.
 *
 * The spherical joint is that of Altair's page "Friction Formulation". Where the page is ambiguous, this is decided:
 *   - r, r_B and r_b are one radius, ball_radius; "z = r_B w - C0 z" and "s1 z" have lost the dot of dz/dt.
 *   - w_m = |omega| contains the spin about the load, as printed: spin lowers g although it gets no torque.
 *   - mu carries the page's minus sign: mu = -(s0 z + s1 dz/dt + s2 r_B omega).
 *   - tau_jforce = r x (mu x F_N), r = r_B F_N/|F_N|, drops the part along the load (a socket that touches in one
 *     point). BRISTLE_JOINT_SOCKET_FULL keeps it, as RecurDyn's formula does.
 *   - without load, F_N = 0, there is no direction and no tau_jforce; the preload acts alone.
 *   - the preload replaces tau_jforce when its norm is not smaller (BRISTLE_JOINT_COMBINE_MAX) or is added
 * (BRISTLE_JOINT_COMBINE_SUM: Adams, RecurDyn). With MAX the direction may jump at the switch.
 *   - z is carried along with the frame of the inputs (the I marker). When that frame turns against body I, turn the
 *     state with the vector law's `rotate`.
 *   - v_s is the Gaussian's scale, as in the formula: at v_s the drop has decayed to 1/e, it is not complete.
 *   - the page's static formula is a lost picture; `statics` offers nothing, or a bounded presliding law of our own.
 */
#ifndef BRISTLE_JOINT_H
#define BRISTLE_JOINT_H

#include "bristle/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bristle_joint_kind {
  BRISTLE_JOINT_REVOLUTE,
  BRISTLE_JOINT_TRANSLATIONAL,
  BRISTLE_JOINT_CYLINDRICAL,
  BRISTLE_JOINT_SPHERICAL,
  BRISTLE_JOINT_UNIVERSAL
} bristle_joint_kind;
/* Kinds beyond these have the numbers of their places: 0 to bristle_joint_kinds() - 1, by bristle_joint_kind_text. */
int bristle_joint_kinds(void);

/* Which loads make friction; a joint refuses those it cannot carry. */
enum {
  BRISTLE_JOINT_INPUT_PRELOAD = 1,
  BRISTLE_JOINT_INPUT_REACTION = 2,
  BRISTLE_JOINT_INPUT_BENDING = 4,
  BRISTLE_JOINT_INPUT_TORSION = 8
};

/* Sliding only: no static excess, the law's static level becomes its level (an excess over that becomes 0). mu_s, which
   divides the preload, stays: both effects slide with the same friction and differ at break-away only. */
typedef enum bristle_joint_effect { BRISTLE_JOINT_EFFECT_BOTH, BRISTLE_JOINT_EFFECT_SLIDING } bristle_joint_effect;

/* How preload and reactions combine. MAX compares the norms of the two frictions at the rubbing surface; in the step
   at its end. */
typedef enum bristle_joint_combine { BRISTLE_JOINT_COMBINE_SUM, BRISTLE_JOINT_COMBINE_MAX } bristle_joint_combine;

typedef enum bristle_joint_socket { BRISTLE_JOINT_SOCKET_POINT, BRISTLE_JOINT_SOCKET_FULL } bristle_joint_socket;

/* How the overlap Xs follows the displacement x along the axis: X0, X0 + x or X0 - x. */
typedef enum bristle_joint_overlap {
  BRISTLE_JOINT_OVERLAP_CONSTANT,
  BRISTLE_JOINT_OVERLAP_GROWS,
  BRISTLE_JOINT_OVERLAP_SHRINKS
} bristle_joint_overlap;

/* Static analysis: no friction, or mu = mu_s (1 - exp(-stiffness s/mu_s)) along the displacement s since the start. */
typedef enum bristle_joint_statics { BRISTLE_JOINT_STATICS_OFF, BRISTLE_JOINT_STATICS_BOUNDED } bristle_joint_statics;

typedef struct bristle_joint {
  const char *name; /* for messages; NULL = the kind's own */
  bristle_joint_kind kind;
  double pin_radius;     /* revolute, universal, cylindrical */
  double friction_arm;   /* revolute, universal: arm of the axial force */
  double bending_arm;    /* revolute, universal: distance that carries a bending moment */
  double reaction_arm;   /* translational: arm that carries a torsional moment */
  double overlap;        /* translational, cylindrical: X0 */
  double ball_radius;    /* spherical */
  double cross_axis[3];  /* universal: the pin; any length */
  double preload_force;  /* translational, cylindrical */
  double preload_torque; /* all but translational */
  unsigned inputs;       /* BRISTLE_INPUT_... */
  bristle_joint_overlap overlap_rule;
  bristle_joint_effect effect;
  bristle_joint_combine combine;
  bristle_joint_socket socket;
  bristle_joint_statics statics;
  bristle_contact contact; /* in COEFFICIENT form; cylindrical and spherical joints take its vector law */
  double mu_s;             /* static coefficient; 0 = the law's static level */
  double stiffness;        /* of presliding, for static analysis, 1/m; 0 = the law's own */
} bristle_joint;

/* Reactions on the joint. */
typedef struct bristle_joint_loads {
  double force[3], moment[3];
} bristle_joint_loads;

/* Relative motion, moving body against the other. Unused fields may be left zero. */
typedef struct bristle_joint_motion {
  double v, omega[3];    /* along the axis, angular; for step: at its end if there were no friction in this joint */
  double x, rotation[3]; /* displacement along the axis and rotation vector, since the joint was assembled */
  double a, alpha[3];    /* accelerations, for laws that want them */
  double f, torque[3];   /* applied along the axis and about it, for laws that stick, when the motion is prescribed */
  double w, w_rot[3][3]; /* step: velocity lost per unit friction force along the axis; angular velocity lost per unit
                            friction torque (h J^-1, symmetric); all zero = the motion is prescribed */
  double h;              /* step: its length, > 0 */
} bristle_joint_motion;

/* Friction on the moving body. Rotational coefficients and slips are vectors along the axis of rotation. */
typedef struct bristle_joint_friction {
  double force[3], torque[3];
  double mu[3], mu_rot[3];     /* friction coefficients; they oppose the slip */
  double slip[3], slip_rot[3]; /* m/s at the rubbing surface; after a step: at its end */
  double v_end, omega_end[3];  /* the motion after a step: v - w F, omega - w_rot T */
} bristle_joint_friction;

/* What the geometry makes of loads and motion: slip components, translation first. */
typedef struct bristle_joint_map {
  int dim, translations; /* number of slip components; how many of them, the first, are translations */
  double axis[3];        /* of the components when dim < 3; with dim = 3 they are x, y, z */
  double slip[3];        /* m/s */
  double lever[3];       /* friction torque per force at the surface; 1 for translations */
  double load;           /* normal load from the reactions, N */
  double preload[3];     /* normal load that the preload stands for, N */
  double effective;      /* of the first component: load + preload, or the larger of the two */
  double normal[3];      /* point socket: the direction that gets no torque from the load; else zero */
} bristle_joint_map;

const char *bristle_joint_kind_text(bristle_joint_kind kind); /* "revolute", ... */
const char *bristle_joint_keys(bristle_joint_kind kind);      /* fields of its geometry, "pin_radius|friction_arm" */
/* Slip components of a kind: 1 takes a scalar law, 2 and 3 a vector law of that dimension. */
int bristle_joint_dim(bristle_joint_kind kind);
/* Loads a kind can carry, as a mask. */
unsigned bristle_joint_inputs(bristle_joint_kind kind);
/* A joint of this kind: all its inputs, SUM, stiction and sliding, axis z. Lengths, preloads and law are missing. */
void bristle_joint_init(bristle_joint *joint, bristle_joint_kind kind);
/* Takes the law of this name in the dimension the joint needs, with parameters p. Returns its table, NULL if there is
   none. */
const bristle_info *bristle_joint_use(bristle_joint *joint, const char *law, const double *p);

/* A failed check names the joint (error->model), the field, its value and the rule, and changes nothing else.
   bristle_joint_check_state holds loads and motion to the joint; loads may be NULL when no input needs them. */
bristle_status bristle_joint_check(const bristle_joint *joint, bristle_error *error);
bristle_status bristle_joint_check_state(const bristle_joint *joint, const bristle_joint_loads *loads,
                                         const bristle_joint_motion *motion, int step, bristle_error *error);

void bristle_joint_resolve(const bristle_joint *joint, const bristle_joint_loads *loads,
                           const bristle_joint_motion *motion, bristle_joint_map *map);
/* Friction and state rates at an instant; s and rate have the law's nstate numbers. */
void bristle_joint_eval(const bristle_joint *joint, const double *s, const bristle_joint_loads *loads,
                        const bristle_joint_motion *motion, bristle_joint_friction *out, double *rate);
/* One step: friction, state and end velocities solved together, so that the joint holds. */
void bristle_joint_step(const bristle_joint *joint, double *s, const bristle_joint_loads *loads,
                        const bristle_joint_motion *motion, bristle_joint_friction *out);
/* Altair's names for what a bristle does at this slip: the level g, the coupling lambda = |slip| level^2/g in m/s and
   the rate C0 = |slip| stiffness/g in 1/s, at which a bent bristle lets go. NaN for laws without one stiffness, one
   level or a steady force.
 */
typedef struct bristle_joint_coupling {
  double g, lambda, c0;
} bristle_joint_coupling;
bristle_joint_coupling bristle_joint_couple(const bristle_joint *joint, const bristle_joint_map *map);
/* Static analysis: friction against motion->x and motion->rotation, counted from the start of the analysis. */
void bristle_joint_static(const bristle_joint *joint, const bristle_joint_loads *loads,
                          const bristle_joint_motion *motion, bristle_joint_friction *out);

#ifdef __cplusplus
}
#endif
#endif
