/* modelDescription.xml for FMI 2.0 and 3.0, and the list of sources. */
#include "fmi/fmi.h"

#include "bristle/text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void add_text(buffer *b, const char *text)
{
  for (; *text; text++) {
    if (*text == '&') buffer_add(b, "&amp;", 5);
    else if (*text == '<') buffer_add(b, "&lt;", 4);
    else if (*text == '>') buffer_add(b, "&gt;", 4);
    else if (*text == '"') buffer_add(b, "&quot;", 6);
    else if ((unsigned char)*text < 0x20) buffer_add(b, " ", 1);
    else buffer_add(b, text, 1);
  }
}

static void attribute(buffer *b, const char *name, const char *value)
{
  buffer_print(b, " %s=\"", name);
  add_text(b, value);
  buffer_add(b, "\"", 1);
}

static void number(buffer *b, const char *name, double value)
{
  char text[48];
  bristle_number_text(value, text, sizeof text);
  buffer_print(b, " %s=\"%s\"", name, text);
}

/* ---- units ---- */

static void add_unit(buffer *b, const char *unit)
{
  buffer_print(b, "    <Unit");
  attribute(b, "name", unit);
  buffer_print(b, "><BaseUnit");
  bridge_base_units(b, unit);
  buffer_print(b, "/></Unit>\n");
}

static void add_units(buffer *b, const fmi_unit *u)
{
  buffer_print(b, "  <UnitDefinitions>\n");
  for (int i = 0; i < u->variables; i++) {
    int known = !u->variable[i].unit[0];
    for (int k = 0; k < i; k++) known |= !strcmp(u->variable[k].unit, u->variable[i].unit);
    if (!known) add_unit(b, u->variable[i].unit);
  }
  buffer_print(b, "  </UnitDefinitions>\n");
}

/* ---- variables ---- */

static const char *const causalities[] = { "independent", "input", "parameter", "output", "local" };

static const char *variability(const fmi_variable *v)
{
  return v->causality == FMI_PARAMETER ? "tunable" : v->discrete ? "discrete" : "continuous";
}

/* `initial` where the standard allows it */
static const char *initial(const fmi_variable *v)
{
  if (v->causality == FMI_PARAMETER) return "exact";
  if (v->causality == FMI_INPUT || v->causality == FMI_INDEPENDENT) return NULL;
  return v->exact ? "exact" : "calculated";
}

static void add_numbers(buffer *b, const fmi_variable *v)
{
  if (v->unit[0]) attribute(b, "unit", v->unit);
  if (v->lo < v->hi) number(b, "min", v->lo);
  if (v->lo < v->hi && v->hi < DBL_MAX) number(b, "max", v->hi);
  if (v->nominal > 0) number(b, "nominal", v->nominal);
}

static void add_variable_3(buffer *b, const fmi_variable *v)
{
  buffer_print(b, "    <%s", v->integer ? "Int32" : "Float64");
  attribute(b, "name", v->name);
  buffer_print(b, " valueReference=\"%d\" causality=\"%s\" variability=\"%s\"", v->reference, causalities[v->causality],
               variability(v));
  if (initial(v)) attribute(b, "initial", initial(v));
  attribute(b, "description", v->description);
  add_numbers(b, v);
  if (v->exact) number(b, "start", v->start);
  if (v->derivative_of >= 0) buffer_print(b, " derivative=\"%d\"", v->derivative_of);
  if (v->reset) buffer_print(b, " reinit=\"true\"");
  buffer_print(b, "/>\n");
}

static int index_of(const fmi_unit *u, int reference)
{
  for (int i = 0; i < u->variables; i++)
    if (u->variable[i].reference == reference) return i + 1;
  return 0;
}

static void add_variable_2(buffer *b, const fmi_unit *u, const fmi_variable *v)
{
  buffer_print(b, "    <ScalarVariable");
  attribute(b, "name", v->name);
  buffer_print(b, " valueReference=\"%d\" causality=\"%s\" variability=\"%s\"", v->reference, causalities[v->causality],
               variability(v));
  if (initial(v)) attribute(b, "initial", initial(v));
  attribute(b, "description", v->description);
  buffer_print(b, "><%s", v->integer ? "Integer" : "Real");
  add_numbers(b, v);
  if (v->exact) number(b, "start", v->start);
  if (v->derivative_of >= 0) buffer_print(b, " derivative=\"%d\"", index_of(u, v->derivative_of));
  if (v->reset) buffer_print(b, " reinit=\"true\"");
  buffer_print(b, "/></ScalarVariable>\n");
}

/* ---- structure ---- */

static void list(buffer *b, const fmi_unit *u, const char *element, int (*wanted)(const fmi_variable *))
{
  for (int i = 0; i < u->variables; i++) {
    if (!wanted(&u->variable[i])) continue;
    if (u->version == 3) buffer_print(b, "    <%s valueReference=\"%d\"/>\n", element, u->variable[i].reference);
    else buffer_print(b, "      <Unknown index=\"%d\"/>\n", i + 1);
  }
}
static int is_output(const fmi_variable *v) { return v->causality == FMI_OUTPUT; }
static int is_derivative(const fmi_variable *v) { return v->derivative_of >= 0; }
static int is_unknown(const fmi_variable *v) { return (is_output(v) && !v->exact) || is_derivative(v); }
static int is_indicator(const fmi_variable *v) { return v->indicator; }

static void add_list_2(buffer *b, const fmi_unit *u, const char *name, int (*wanted)(const fmi_variable *))
{
  int any = 0;
  for (int i = 0; i < u->variables; i++) any |= wanted(&u->variable[i]);
  if (!any) return;
  buffer_print(b, "    <%s>\n", name);
  list(b, u, name, wanted);
  buffer_print(b, "    </%s>\n", name);
}

static void add_structure(buffer *b, const fmi_unit *u)
{
  buffer_print(b, "  <ModelStructure>\n");
  if (u->version == 3) {
    list(b, u, "Output", is_output);
    list(b, u, "ContinuousStateDerivative", is_derivative);
    list(b, u, "InitialUnknown", is_unknown);
    list(b, u, "EventIndicator", is_indicator);
  } else {
    add_list_2(b, u, "Outputs", is_output);
    add_list_2(b, u, "Derivatives", is_derivative);
    add_list_2(b, u, "InitialUnknowns", is_unknown);
  }
  buffer_print(b, "  </ModelStructure>\n");
}

/* ---- the whole ---- */

static void add_interfaces(buffer *b, const fmi_unit *u)
{
  static const char *const kinds[] = { "ModelExchange", "CoSimulation" };
  for (int k = 0; k < 2; k++) {
    buffer_print(b, "  <%s modelIdentifier=\"%s\"", kinds[k], u->name);
    if (u->version == 3)
      buffer_print(
          b, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"true\"");
    else
      buffer_print(
          b, " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\"");
    if (!k && u->version == 3 && fmi_remembers(u)) buffer_print(b, " needsCompletedIntegratorStep=\"true\"");
    if (!k && u->version == 2 && !fmi_remembers(u)) buffer_print(b, " completedIntegratorStepNotNeeded=\"true\"");
    if (k) buffer_print(b, " canHandleVariableCommunicationStepSize=\"true\"");
    if (u->version == 3) buffer_print(b, "/>\n");
    else
      buffer_print(b, "><SourceFiles><File name=\"fmu.c\"/><File name=\"slopes.cpp\"/></SourceFiles></%s>\n", kinds[k]);
  }
}

static void add_date(buffer *b)
{
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  const time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  char text[40] = "1970-01-01T00:00:00Z";
  struct tm parts;
  if (gmtime_r(&now, &parts)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  attribute(b, "generationDateAndTime", text);
}

char *fmi_description(const fmi_unit *u)
{
  buffer b = { 0 };
  int indicators = 0;
  for (int i = 0; i < u->variables; i++) indicators += u->variable[i].indicator;
  buffer_print(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\"",
               u->version == 3 ? "3.0" : "2.0");
  attribute(&b, "modelName", u->name);
  attribute(&b, u->version == 3 ? "instantiationToken" : "guid", u->token);
  attribute(&b, "description", u->info->title);
  attribute(&b, "license", "MIT-0");
  buffer_print(&b, " generationTool=\"bristle %s\"", u->q->version);
  add_date(&b);
  attribute(&b, "variableNamingConvention", "structured");
  if (u->version == 2) buffer_print(&b, " numberOfEventIndicators=\"%d\"", indicators);
  buffer_print(&b, ">\n");
  add_interfaces(&b, u);
  add_units(&b, u);
  buffer_print(
      &b,
      "  <LogCategories>\n"
      "    <Category name=\"logStatusError\" description=\"calls and values that are refused; the run has ended\"/>\n"
      "    <Category name=\"logStatusDiscard\" description=\"values that are refused; the run may go on\"/>\n"
      "  </LogCategories>\n");
  buffer_print(&b, "  <DefaultExperiment startTime=\"0\" stopTime=\"1\" tolerance=\"1e-6\" stepSize=\"1e-3\"/>\n");
  buffer_print(&b, "  <ModelVariables>\n");
  for (int i = 0; i < u->variables; i++) {
    if (u->version == 3) add_variable_3(&b, &u->variable[i]);
    else add_variable_2(&b, u, &u->variable[i]);
  }
  buffer_print(&b, "  </ModelVariables>\n");
  add_structure(&b, u);
  buffer_print(&b, "</fmiModelDescription>\n");
  return buffer_take(&b);
}

char *fmi_build_description(const fmi_unit *u)
{
  buffer b = { 0 };
  buffer_print(&b,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
               "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet>\n"
               "      <SourceFile name=\"fmu.c\"/>\n      <SourceFile name=\"slopes.cpp\"/>\n"
               "    </SourceFileSet>\n  </BuildConfiguration>\n</fmiBuildDescription>\n",
               u->name);
  return buffer_take(&b);
}
