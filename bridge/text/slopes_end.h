/* Closes a law for exported derivatives: force and rates of eval, and their slopes along one direction. The five inputs
 * are v, x, n, f and a. */

extern "C" double law_slopes(const double *p, const double *dp, const double *s, const double *ds, const double *in,
                             const double *din, int load, double *df, double *rate, double *drate)
{
  params parameters, loaded;
  state now, dot;
  input told, k;
  real *const row = (real *)&parameters, *const flow = (real *)&now, *const change = (real *)&dot;
  for (int i = 0; i < ROLE(nparam); i++) row[i] = real(p[i], dp[i]);
  for (int i = 0; i < ROLE(nstate); i++) flow[i] = real(s[i], ds[i]), change[i] = real(0);
  told.v = real(in[0], din[0]);
  told.x = real(in[1], din[1]);
  told.n = real(in[2], din[2]);
  told.f = real(in[3], din[3]);
  told.a = real(in[4], din[4]);
  told.w = told.h = 0;
  told.load = (bristle_load)load;
  const real gain = ROLE(apply_load)(&parameters, &told, &loaded, &k);
  const real force = gain * ROLE(eval)(&loaded, &now, &k, &dot);
  for (int i = 0; i < ROLE(nstate); i++) rate[i] = change[i].v, drate[i] = change[i].d;
  *df = force.d;
  return force.v;
}
