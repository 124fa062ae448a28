/* Functional mock-up units: the parts of their export. */
#ifndef BRIDGE_FMI_H
#define BRIDGE_FMI_H

#include "parts.h"

extern const char template_fmi_model[], template_fmi_steps[], template_fmi_life[], template_fmi_calls[],
    template_fmi2[], template_fmi3[];

typedef enum fmi_shape { FMI_ELEMENT, FMI_BODY, FMI_SERVO } fmi_shape;
typedef enum fmi_causality { FMI_INDEPENDENT, FMI_INPUT, FMI_PARAMETER, FMI_OUTPUT, FMI_LOCAL } fmi_causality;

/* value references, as in model.c.in */
enum {
  FMI_TIME = 0,
  FMI_IN_V = 1,
  FMI_IN_X,
  FMI_IN_N,
  FMI_IN_F,
  FMI_IN_A,
  FMI_IN_FORCE,
  FMI_IN_TARGET,
  FMI_IN_TARGET_SPEED,
  FMI_MASS = 10,
  FMI_STIFFNESS,
  FMI_PULL_SPEED,
  FMI_GAIN_P,
  FMI_GAIN_D,
  FMI_GAIN_I,
  FMI_STEP,
  FMI_FRICTION = 20,
  FMI_POWER,
  FMI_MODE,
  FMI_DRIVE,
  FMI_ERROR,
  FMI_X = 30,
  FMI_V,
  FMI_INTEGRAL,
  FMI_DER_X,
  FMI_DER_V,
  FMI_DER_INTEGRAL,
  FMI_INDICATOR = 40,
  FMI_PARAM = 100,
  FMI_STATE = 200,
  FMI_RATE = 300,
  FMI_VALUES = 400
};

typedef struct fmi_variable {
  char name[64], unit[32], description[200];
  int reference, derivative_of; /* reference of the state that this is the derivative of, or -1 */
  fmi_causality causality;
  int discrete, exact; /* changes at events only; begins with its start value */
  int integer, indicator;
  int whole, reset;              /* a parameter that selects a variant; a state that events set anew */
  double start, lo, hi, nominal; /* lo = hi: no bounds; nominal 0: none */
} fmi_variable;

enum { FMI_VARIABLES = 160 };

typedef struct fmi_unit {
  const bridge_request *q;
  const bristle_info *info;
  const law_text *text;
  int version; /* 2 or 3 */
  fmi_shape shape;
  char name[BRIDGE_NAME], token[64];
  int jump;                                      /* of a body: the parameter at whose speed friction jumps up, or -1 */
  double speed_scale, force_scale, length_scale; /* what is usual for this contact */
  fmi_variable variable[FMI_VARIABLES];
  int variables;
} fmi_unit;

/* is this variable a continuous state? */
int fmi_is_state(const fmi_unit *u, const fmi_variable *v);
/* has the law flags or memories, which steps change? */
int fmi_remembers(const fmi_unit *u);
void fmi_list_variables(fmi_unit *u);
char *fmi_source(const fmi_unit *u);      /* sources/fmu.c */
char *fmi_slopes(const fmi_unit *u);      /* sources/slopes.cpp */
char *fmi_description(const fmi_unit *u); /* modelDescription.xml */
char *fmi_build_description(const fmi_unit *u);
char *fmi_page(const fmi_unit *u); /* documentation/index.html */
/* the reference result: inputs and what comes out */
void fmi_reference(const fmi_unit *u, char **inputs, char **outputs);

/* Compiles the two sources with the machine's compiler; NULL when there is none or it fails, with the reason in `why`.
 */
char *fmi_compile(const char *source, const char *slopes, size_t *size, char *why, size_t room);

typedef struct fmi_entry { /* of the archive */
  const char *path;
  const char *data;
  size_t size;
} fmi_entry;
/* a ZIP file in memory; NULL without memory, and with *size = 0 where it would be larger than 4 GB */
char *fmi_archive(const fmi_entry *entry, int count, size_t *size);

#endif
