/* The friction in the joints of an arm: states, and what it is at an instant. */
#include "sim/arm.h"

#include <string.h>

void arm_lay_out(arm_system *a, size_t *room)
{
  a->place = room;
  a->flow = 2 * (size_t)a->n + 1;
  for (int jumping = 0; jumping <= 1; jumping++) {
    size_t *place = room;
    if (jumping) a->flow += LEDGER;
    for (int i = 0; i < a->n; i++) {
      const bristle_info *law = a->rig->link[i].contact.law->f64->info;
      for (int r = 0; r < law->state_rows; r++)
        for (int k = 0; k < law->state[r].count; k++)
          if ((law->state[r].kind == BRISTLE_ROW_JUMP) == jumping)
            place[law->state[r].first + k] = jumping ? a->flow + a->jump++ : a->flow++;
      place += law->nstate;
    }
    a->states = (int)(place - room);
  }
}

void arm_take(arm_system *a, const arm_inputs *in, const double *y)
{
  double *s = a->s;
  for (int k = 0; k < a->states; k++) s[k] = y[a->place[k]];
  for (int i = 0; i < a->n; i++) {
    const bristle_contact *contact = &a->rig->link[i].contact;
    a->contact[i] = (bristle_network_contact){
      .law = contact->law->f64, .p = contact->p, .s = s, .x = y[i], .n = in->load[i], .load = contact->load
    };
    s += contact->law->f64->info->nstate;
  }
}

void arm_put(const arm_system *a, double *y)
{
  for (int k = 0; k < a->states; k++) y[a->place[k]] = a->s[k];
}

static bristle_input input_of(const arm_system *a, const double *y, int i)
{
  const bristle_network_contact *c = &a->contact[i];
  return (bristle_input){ .v = y[a->n + i], .x = c->x, .n = c->n, .load = c->load };
}

static int rests(const arm_system *a, const double *y, int i)
{
  return y[a->n + i] == 0 && a->contact[i].law->info->traits & BRISTLE_TRAIT_SET_VALUED;
}

/* The joints that rest exactly, as a network of their own over a moment so short that only forces count. `speed_up` are
   the accelerations without their friction, m the inverse of the mass matrix. */
static void hold(arm_system *a, const double *y, const double *m, const double *speed_up, double *f)
{
  static const double moment = 1e-9;
  bristle_network_contact contact[LINKS];
  double w[LINKS * LINKS], v[LINKS], u[LINKS] = { 0 }, force[LINKS];
  int joint[LINKS], count = 0;
  for (int i = 0; i < a->n; i++)
    if (rests(a, y, i)) joint[count++] = i;
  for (int i = 0; i < count; i++) {
    contact[i] = a->contact[joint[i]];
    v[i] = moment * speed_up[joint[i]];
    for (int k = 0; k < count; k++) w[i * count + k] = moment * m[joint[i] * a->n + joint[k]];
  }
  const bristle_network net = { .count = count, .contact = contact, .w = w, .v = v, .h = moment, .f = force, .u = u };
  if (count) bristle_network_solve(&net, a->work);
  for (int i = 0; i < count; i++) f[joint[i]] = force[i];
}

/* Laws that ask for the force from outside or for the acceleration get those of the round before. */
void arm_friction(arm_system *a, double t, const double *y, double *f)
{
  enum { ROUNDS = 3 };
  const int n = a->n;
  const double *v = y + n;
  const arm_inputs in = arm_inputs_at(a, t);
  const arm_pose pose = arm_place(&a->body, y, v);
  double push[LINKS], speed_up[LINKS], rate[BRISTLE_LAW_SIZE];
  arm_torques(&a->body, &pose, in.push, push);
  for (int i = 0; i < n; i++) push[i] += arm_motor(&a->rig->link[i], &in, i, y[i], v[i]);
  arm_compliance(&a->body, &pose, NULL, 1, a->w);
  memset(f, 0, (size_t)n * sizeof *f);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < n; i++) {
      double given = 0;
      for (int k = 0; k < n; k++) given += a->w[i * n + k] * (push[k] - f[k]);
      speed_up[i] = given;
    }
    arm_take(a, &in, y);
    for (int i = 0; i < n; i++) {
      bristle_input at = input_of(a, y, i);
      at.a = speed_up[i];
      at.f = f[i] + speed_up[i] / a->w[i * n + i];
      f[i] = rests(a, y, i) ? 0 : a->contact[i].law->eval(a->contact[i].p, a->contact[i].s, &at, rate);
    }
    for (int i = 0; i < n; i++) {
      double given = 0;
      for (int k = 0; k < n; k++) given += a->w[i * n + k] * (push[k] - f[k]);
      speed_up[i] = given;
    }
    hold(a, y, a->w, speed_up, f);
  }
}

bristle_mode arm_mode(arm_system *a, const arm_inputs *in, const double *y, int joint)
{
  arm_take(a, in, y);
  const bristle_input at = input_of(a, y, joint);
  return a->contact[joint].law->mode(a->contact[joint].p, a->contact[joint].s, &at);
}

double arm_contact_energy(arm_system *a, const arm_inputs *in, const double *y)
{
  double sum = 0;
  arm_take(a, in, y);
  for (int i = 0; i < a->n; i++) {
    const bristle_input at = input_of(a, y, i);
    const bristle_model *law = a->contact[i].law;
    if (law->info->traits & BRISTLE_TRAIT_ENERGY) sum += law->energy(a->contact[i].p, a->contact[i].s, &at);
  }
  return sum;
}
