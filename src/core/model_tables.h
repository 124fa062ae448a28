/* The tables of a law: what bristle_info tells about it. */

#ifndef FIELD_AT
#define FIELD_AT(type, name) (offsetof(type, name) / sizeof(real))
#endif
#define FIELD_SIZE(type, name) ((int)(sizeof(((type *)0)->name) / (sizeof(real))))
#define LIST(...) { __VA_ARGS__ }
#define P_ROW(name, unit, def, lo, hi, kind, role, doc)                                              \
  { #name, unit, doc, BRISTLE_ROW_##kind, BRISTLE_ROLE_##role, (int)FIELD_AT(params, name), 1, (const double[1]){ def }, lo, hi },
#define V_ROW(name, size, unit, def, lo, hi, kind, role, doc)                                        \
  { #name, unit, doc, BRISTLE_ROW_##kind, BRISTLE_ROLE_##role, (int)FIELD_AT(params, name), size, (const double[size])LIST def, lo, hi },
#define S_ROW(name, unit, kind, doc)                                                                 \
  { #name, unit, doc, BRISTLE_ROW_##kind, BRISTLE_ROLE_NONE, (int)FIELD_AT(state, name), FIELD_SIZE(state, name),  \
    (const double[FIELD_SIZE(state, name)]){ 0 }, 0, 0 },
#define SV_ROW(name, size, unit, kind, doc)                                                          \
  { #name, unit, doc, BRISTLE_ROW_##kind, BRISTLE_ROLE_NONE, (int)FIELD_AT(state, name), FIELD_SIZE(state, name),  \
    (const double[FIELD_SIZE(state, name)]){ 0 }, 0, 0 },

static const bristle_row ROLE(param_rows)[] = { ALL_PARAMS(P_ROW, V_ROW) };
static const bristle_row ROLE(state_rows)[] = { STATES(S_ROW, SV_ROW){ 0 } };
#ifndef REDUCTIONS
#define REDUCTIONS(R)
#endif
#define REDUCTION_ROW(law, when, then) { #law, when, then },
#ifdef BRISTLE_SKEW /* without its skews a law is the plain one, and neither odd nor affine with them */
static const bristle_reduction ROLE(reduction_rows)[] = {
  { BRISTLE_STR(MODEL), "level_skew = 0, viscous_skew = 0", "" }, { 0 }
};
#define LAW_TRAITS (unsigned)((TRAITS) & ~(BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_AFFINE))
#else
static const bristle_reduction ROLE(reduction_rows)[] = { REDUCTIONS(REDUCTION_ROW){ 0 } };
#define LAW_TRAITS TRAITS
#endif
#ifndef RELATIONS
#define RELATIONS(R)
#endif
#define RELATION_ROW(kind, ...) PLACES_##kind(__VA_ARGS__)
#define PLACE(name) (int)FIELD_AT(params, name)
#define PLACES_AT_LEAST(a, b) { BRISTLE_RELATION_AT_LEAST, PLACE(a), PLACE(b), 0 },
#define PLACES_ABOVE(a, b) { BRISTLE_RELATION_ABOVE, PLACE(a), PLACE(b), 0 },
#define PLACES_BELOW_RATIO(a, b, c) { BRISTLE_RELATION_BELOW_RATIO, PLACE(a), PLACE(b), PLACE(c) },
#define PLACES_SUM_IS_ONE(a) { BRISTLE_RELATION_SUM_IS_ONE, PLACE(a), 0, 0 },
static const bristle_relation ROLE(relation_rows)[] = { RELATIONS(RELATION_ROW){ BRISTLE_RELATION_AT_LEAST, 0, 0, 0 } };
static const bristle_info ROLE(info) = {
  .name = BRISTLE_STR(MODEL),
  .title = TITLE,
  .equations = EQUATIONS,
  .use = USE,
  .limits = LIMITS,
  .source = SOURCE,
  .traits = LAW_TRAITS,
  .load = BRISTLE_CAT(BRISTLE_LOAD_, LOAD),
  .nparam = ROLE(nparam),
  .nstate = ROLE(nstate),
  .param_rows = (int)(sizeof ROLE(param_rows) / sizeof *ROLE(param_rows)),
  .state_rows = (int)(sizeof ROLE(state_rows) / sizeof *ROLE(state_rows)) - 1,
  .param = ROLE(param_rows),
  .state = ROLE(state_rows),
  .reductions = (int)(sizeof ROLE(reduction_rows) / sizeof *ROLE(reduction_rows)) - 1,
  .reduction = ROLE(reduction_rows),
  .relation = ROLE(relation_rows),
  .relations = (int)(sizeof ROLE(relation_rows) / sizeof *ROLE(relation_rows)) - 1,
};
