/* The three load forms, derived from the units in the table so that no law is written twice:
 * `level` multiplies the rows whose unit is N, `coefficient` multiplies the force. Both factors are exactly 1
 * when not wanted, so there is one code path and the force form keeps its bits. */
#define UNIT_IS_N(unit) ((unit)[0] == 'N' && (unit)[1] == '\0')
#define P_LOAD(name, unit, ...) q->name = UNIT_IS_N(unit) ? p->name * level : p->name;
#define V_LOAD(name, count, unit, ...)                                                               \
  for (int i_ = 0; i_ < (count); i_++) q->name[i_] = UNIT_IS_N(unit) ? p->name[i_] * level : p->name[i_];

FN real ROLE(apply_load)(const params *p, const input *in, params *q, input *k)
{
  real n = r_max(in->n, K(0));
  real level = in->load == BRISTLE_LOAD_LEVEL ? n : K(1);
  real gain = in->load == BRISTLE_LOAD_COEFFICIENT ? n : K(1);
  ALL_PARAMS(P_LOAD, V_LOAD)
  *k = *in;
#if BRISTLE_DIM == 1
  k->w = in->w * r_value(gain);
#else
  EACH(i) EACH(j) k->w[i][j] = in->w[i][j] * r_value(gain);
#endif
  k->f = v_over(in->f, r_max(gain, K(REAL_TINY)));
  return gain;
}

#undef P_LOAD
#undef V_LOAD
