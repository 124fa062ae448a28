/* Friction compensation by the planned motion: one text, compiled by the simulator and written out by `bristle export
 * --to c99 --compensate`. Who includes it has defined `real`, constants K(...), `compensator`, `contact_state`, and two
 * functions of the contact: contact_force, its step at a velocity, and unbend, what fades of its state. */

/* the controller takes over: force and bristle come back to zero together */
static void fade(compensator *c, real h)
{
  const real keep = c->fade_time / (c->fade_time + h);
  c->force *= keep;
  unbend(c, keep);
}

/* the planned velocity, and what the axis is off it beyond the band */
static real believed(const compensator *c, real plan, real measured)
{
  const real speed = plan < K(0) ? -plan : plan, off = measured - plan;
  const real width = K(0.5) * speed > c->band ? K(0.5) * speed : c->band;
  return plan + (off > width ? off - width : off < -width ? off + width : K(0));
}

static real compensate(compensator *c, real plan, real measured, real n, real h)
{
  const real u = believed(c, plan, measured);
  if (u <= c->rest_speed && u >= -c->rest_speed) {
    fade(c, h);
    return c->force;
  }
  const contact_state before = c->contact;
  real f = c->gain * contact_force(c, u, n, h);
  if (f > c->limit || f < -c->limit) {
    if ((f > K(0)) == (u > K(0))) c->contact = before; /* not further */
    f = f > K(0) ? c->limit : -c->limit;
  }
  c->force += (f - c->force) * (h / (c->rise_time + h));
  return c->force;
}
