/* The rows that lugre and lugre_bounded share, with their rule and their warnings. */
#define LUGRE_ROWS(P)                                                                                \
  P(sigma0, "N/m",   1e5,      1e-3, 1e12, LOG,    STIFFNESS,      "bristle stiffness")              \
  P(sigma1, "N*s/m", 316.2278, 0,    1e9,  LOG,    DAMPING,        "bristle damping")                \
  P(sigma2, "N*s/m", 0.4,      0,    1e9,  LOG,    VISCOUS,        "viscous coefficient")            \
  P(fc,     "N",     1,        1e-9, 1e9,  LOG,    LEVEL,          "Coulomb level, reached in fast sliding") \
  P(fs,     "N",     1.5,      1e-9, 1e9,  LOG,    STATIC_LEVEL,   "static level, reached in slow sliding") \
  P(vs,     "m/s",   1e-3,     1e-9, 1e3,  LOG,    STRIBECK_SPEED, "Stribeck speed: the drop from fs has decayed to 1/e") \
  P(gamma,  "1",     2,        0.1,  10,   LINEAR, EXPONENT,       "Stribeck exponent")              \
  P(vd,     "m/s",   1e9,      1e-9, 1e9,  LOG,    FADING_SPEED,   "speed at which sigma1 has decayed to 1/e; 1e9 = constant sigma1") \
  P(limit,  "1",     0,        0,    2,    OPTION, CHOICE,         "1 limits the bristle force to fs, 2 only its elastic part")
#define LUGRE_RELATIONS(R) R(AT_LEAST, fs, fc)
#define LUGRE_ADVICE(A)                                                                              \
  A(sigma2, p->sigma2, p->vd < K(9.33) * p->fc / p->sigma1 || p->sigma2 * p->fc >= p->sigma1 * (p->fs - p->fc), \
    "this set can create energy in a simulation, because sigma2 < sigma1 (fs - fc)/fc; set vd below 9.33 fc/sigma1 to prevent it")  \
  A(vs, p->vs, in->w * stribeck_steepness(p->gamma) * (p->fs - p->fc) < p->vs,                       \
    "the step is long: the Stribeck drop is steeper than the inertia resolves; shorten h or expect early or late slip")
