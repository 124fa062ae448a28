#include "lab/io.h"
#include "support/test.h"

#include <unistd.h>

static bristle_document *document_of(const char *text)
{
  bristle_document *document;
  bristle_fault fault;
  char sentence[1000];
  if (!bristle_document_parse("rig.yaml", text, strlen(text), &document, &fault)) return document;
  bristle_fault_text(&fault, sentence, sizeof sentence);
  printf("  unexpected: %s\n", sentence);
  exit(1);
}

static const char *sentence_of(const bristle_fault *fault)
{
  static char sentence[1000];
  bristle_fault_text(fault, sentence, sizeof sentence);
  return sentence;
}

/* the sentence for a bad document, read under a name that tells YAML or JSON */
static const char *complaint(const char *name, const char *text, size_t size)
{
  bristle_document *document;
  bristle_fault fault;
  if (bristle_document_parse(name, text, size, &document, &fault)) {
    CHECK(document == NULL, "a document in spite of a fault");
    return sentence_of(&fault);
  }
  bristle_document_free(document);
  return "accepted";
}

#define CHECK_TEXT(said, expected)                                                                   \
  do {                                                                                               \
    const char *said_ = (said);                                                                      \
    CHECK(!strcmp(said_, expected), "says:\n    %s", said_);                                         \
  } while (0)
#define CHECK_SAYS(text, expected) CHECK_TEXT(complaint("rig.yaml", text, strlen(text)), expected)

/* a number under a key, and the sentence when it is refused */
static const char *number_of(const char *text, const char *key, const char *unit, double *value)
{
  bristle_document *document = document_of(text);
  bristle_fault fault;
  const bristle_node *node = bristle_node_find(bristle_document_root(document), key);
  const char *said = "accepted";
  if (!node) said = "no such key";
  else if (bristle_node_number(node, unit, value, NULL, &fault)) said = sentence_of(&fault);
  bristle_document_free(document);
  return said;
}

TEST(yaml_and_json_give_the_same_tree)
{
  static const char *const texts[] = {
    "mass: 1 kg\nlist: [1, 2 mm, three]\nfriction:\n  model: lugre # a law\n  parameters: {sigma0: 1e5 N/m}\n",
    "# top\n---\nmass: '1 kg'\nlist:\n- 1\n- 2 mm\n- three\nfriction: {model: lugre, parameters: {sigma0: 1e5 "
    "N/m}}\n...\n",
    "{\"mass\": \"1 kg\", \"list\": [1, \"2 mm\", \"three\"],\n"
    " \"friction\": {\"model\": \"lugre\", \"parameters\": {\"sigma0\": \"1e5 N/m\"}}}\n",
  };
  for (int i = 0; i < 4; i++) {
    bristle_document *d = NULL;
    const char *text = texts[i < 3 ? i : 2];
    CHECK(!bristle_document_parse(i < 3 ? "rig.yaml" : "rig.json", text, strlen(text), &d, NULL), "text %d", i);
    if (!d) continue;
    const bristle_node *root = bristle_document_root(d), *list = bristle_node_find(root, "list");
    const bristle_node *friction = bristle_node_find(root, "friction");
    double mass = 0, length = 0, sigma0 = 0;
    CHECK(root->count == 3 && list->kind == BRISTLE_NODE_LIST && list->count == 3, "text %d", i);
    bristle_node_number(bristle_node_find(root, "mass"), "kg", &mass, NULL, NULL);
    bristle_node_number(list->child->next, "m", &length, NULL, NULL);
    bristle_node_number(bristle_node_find(bristle_node_find(friction, "parameters"), "sigma0"), "N/m", &sigma0, NULL,
                        NULL);
    CHECK(mass == 1 && length == 2e-3 && sigma0 == 1e5, "%g %g %g", mass, length, sigma0);
    CHECK(!strcmp(list->child->next->next->text, "three")
              && !strcmp(bristle_node_find(friction, "model")->text, "lugre"),
          "texts");
    bristle_document_free(d);
  }
}

TEST(numbers_of_documents_are_in_si_or_refused_with_their_place)
{
  double value = 0;
  CHECK_TEXT(number_of("speed: 12 rpm\n", "speed", "rad/s", &value), "accepted");
  CHECK_NEAR(value, 12 * 3.14159265358979323846 / 30, 1e-15);
  CHECK_TEXT(number_of("k: {value: 1.02e5, unit: N/m, std: 2.1e3}\n", "k", "N/m", &value), "accepted");
  CHECK(value == 1.02e5, "%g", value);
  CHECK_TEXT(number_of("a: 1\nmass: 5 mm\n", "mass", "kg", &value),
             "rig.yaml:2:7: 'mass': found '5 mm' (a length), expected a mass in kg; check the value and its unit");
  CHECK_TEXT(number_of("mass: heavy\n", "mass", "kg", &value),
             "rig.yaml:1:7: 'mass': found 'heavy', expected a mass in kg; write a number, with or without a unit: 0.1 "
             "or 0.1 kg");
  CHECK_TEXT(number_of("mass: .nan\n", "mass", "kg", &value),
             "rig.yaml:1:7: 'mass': found '.nan', expected a mass in kg; write a number, with or without a unit: 0.1 "
             "or 0.1 kg");
  CHECK_TEXT(number_of("mass: 1e400\n", "mass", "kg", &value),
             "rig.yaml:1:7: 'mass': found '1e400', expected a finite number; numbers end at 1.8e308");
  CHECK_TEXT(
      number_of("mass:\n", "mass", "kg", &value),
      "rig.yaml:1:6: 'mass': found '', expected a mass in kg; write a number, with or without a unit: 0.1 or 0.1 kg");
  CHECK_TEXT(number_of("mass: [1, 2]\n", "mass", "kg", &value),
             "rig.yaml:1:7: 'mass': found a list, expected a single value; write `key: value`");
  CHECK_TEXT(number_of("mass: {value: 1, unit: furlong}\n", "mass", "kg", &value),
             "rig.yaml:1:15: 'value': 'furlong' is no unit; known are m, kg, s, N, A, V, K, rad, deg, rpm, Hz, min and "
             "others, "
             "with prefixes");
  CHECK_TEXT(number_of("mass: {value: 1, sd: 2}\n", "mass", "kg", &value),
             "rig.yaml:1:18: 'sd' is no key here; did you mean 'std'?");
  CHECK_TEXT(number_of("mass: {unit: kg}\n", "mass", "kg", &value),
             "rig.yaml:1:7: 'mass': the key 'value' is missing; write {value: 2, unit: N/m}");
  CHECK_TEXT(number_of("mass: {value: 1, std: -2}\n", "mass", "kg", &value),
             "rig.yaml:1:23: 'std': found '-2', expected a number that is not negative");
}

TEST(unknown_keys_are_refused_with_the_nearest)
{
  bristle_document *d = document_of("rig: mass\n  \nstifness: 2 N/m\n");
  bristle_fault fault;
  CHECK(bristle_node_allow(bristle_document_root(d), "rig|mass|stiffness|damping", &fault), "stifness");
  CHECK_TEXT(sentence_of(&fault), "rig.yaml:3:1: 'stifness' is no key here; did you mean 'stiffness'?");
  CHECK(bristle_node_allow(bristle_document_root(d), "rig|mass", &fault), "far from all");
  CHECK_TEXT(sentence_of(&fault), "rig.yaml:3:1: 'stifness' is no key here; known keys are rig, mass");
  CHECK(!bristle_node_allow(bristle_document_root(d), "stifness|rig", &fault), "all known");
  bristle_document_free(d);
}

TEST(wrong_types_and_choices_are_refused)
{
  bristle_document *d = document_of("a: {b: 1}\nc: smu\nd: yes\ne: ''\n");
  const bristle_node *root = bristle_document_root(d), *a = bristle_node_find(root, "a"), *node;
  bristle_fault fault;
  const char *text;
  int choice = 5;
  CHECK(bristle_node_text(a, &text, &fault), "a mapping");
  CHECK_TEXT(sentence_of(&fault), "rig.yaml:1:4: 'a': found a mapping, expected a single value; write `key: value`");
  CHECK(bristle_node_expect(bristle_node_find(root, "c"), BRISTLE_NODE_MAP, &fault), "a scalar");
  CHECK_TEXT(sentence_of(&fault),
             "rig.yaml:2:4: 'c': found 'smu', expected a mapping; write {key: value, ...} or indented lines");
  CHECK(bristle_node_expect(bristle_node_find(root, "c"), BRISTLE_NODE_LIST, &fault), "a scalar");
  CHECK_TEXT(sentence_of(&fault), "rig.yaml:2:4: 'c': found 'smu', expected a list; write [1, 2, 3]");
  CHECK(bristle_node_choice(bristle_node_find(root, "c"), "sum|max", &choice, &fault) && choice == 5, "a choice");
  CHECK_TEXT(sentence_of(&fault), "rig.yaml:2:4: 'c': found 'smu', expected sum or max; did you mean 'sum'?");
  CHECK(bristle_node_flag(bristle_node_find(root, "d"), &choice, &fault), "a flag");
  CHECK_TEXT(sentence_of(&fault), "rig.yaml:3:4: 'd': found 'yes', expected false or true");
  CHECK(bristle_node_text(bristle_node_find(root, "e"), &text, &fault), "an empty text");
  CHECK_TEXT(sentence_of(&fault), "rig.yaml:4:4: 'e': found nothing, expected a text");
  CHECK(bristle_node_need(a, "mass", "mass: 1 kg", &node, &fault) && !node, "a missing key");
  CHECK_TEXT(sentence_of(&fault), "rig.yaml:1:4: 'a': the key 'mass' is missing; write mass: 1 kg");
  bristle_document_free(d);
}

TEST(broken_documents_are_refused)
{
  CHECK_SAYS("mass: 1\nspeed: 2\nmass: 3\n",
             "rig.yaml:3:1: found the key 'mass' again, it is already on line 1; delete one of the two");
  CHECK_SAYS("", "rig.yaml: found an empty document, expected keys and values; write `key: value` lines");
  CHECK_SAYS("# nothing\n", "rig.yaml: found an empty document, expected keys and values; write `key: value` lines");
  CHECK_SAYS("- 1\n- 2\n", "rig.yaml:1:1: found a list, expected keys and values; write `key: value` lines");
  CHECK_SAYS("hello\n", "rig.yaml:1:1: found a single value, expected keys and values; write `key: value` lines");
  CHECK_SAYS("a: &x 1\nb: *x\n", "rig.yaml:2:4: found an alias (*name), expected a value; write the value again");
  CHECK_SAYS("a: !!float 1\n", "rig.yaml:1:4: found a tag, expected a plain value; delete the tag: numbers and texts "
                               "are told apart by their place");
  CHECK_SAYS("a: 1\n---\nb: 2\n", "rig.yaml:3:1: found a second document, expected one; split the file");
  CHECK_SAYS("? [1, 2]\n: 3\n", "rig.yaml:1:3: found a list or mapping as a key, expected text; write key: value");
  CHECK_SAYS("a: 1\nb: \x01\n", "rig.yaml:2:4: found the byte 0x01, expected text; save it as UTF-8 text");
  CHECK_SAYS("\xff\xfe"
             "a",
             "rig.yaml:1:1: found the byte 0xff, expected text; save it as UTF-8 text");
  CHECK_TEXT(complaint("rig.yaml", "a: 1\0", 5),
             "rig.yaml:1:5: found the byte 0x00, expected text; save it as UTF-8 text");
  CHECK_SAYS("%oh:\xaa\xff\xfd"
             "0]",
             "rig.yaml:1:1: found a YAML directive, expected keys and values; delete the line, or put the "
             "text in quotes");
  CHECK_SAYS("a: \xe2\x80\xa8x\n", "rig.yaml:1:4: found the byte 0xe2, expected text; save it as UTF-8 text");
  CHECK_SAYS("\xef\xbb\xbf%a\n",
             "rig.yaml:1:1: found a YAML directive, expected keys and values; delete the line, or put "
             "the text in quotes");
  CHECK_SAYS("a: \xc3\xa9\xc3\n", "rig.yaml:1:5: found the byte 0xc3, expected text; save it as UTF-8 text");
  char deep[200];
  memset(deep, '[', 100), memset(deep + 100, ']', 100);
  CHECK_TEXT(complaint("rig.yaml", deep, 200), "rig.yaml:1:33: found more than 32 levels, expected fewer");
}

TEST(documents_that_cannot_be_read_are_named)
{
  bristle_document *d;
  bristle_fault fault;
  CHECK(bristle_document_read("/nowhere/rig.yaml", &d, &fault) && !d, "no such file");
  CHECK_TEXT(sentence_of(&fault),
             "/nowhere/rig.yaml: the file cannot be read (No such file or directory); check the name and the folder");
  CHECK(bristle_document_read("/tmp", &d, &fault) && !d, "a folder");
  CHECK_TEXT(sentence_of(&fault), "/tmp: this is a folder, expected a file; name a file in it");
}

/* ---- friction blocks ---- */

static const char *friction_of(const char *text, const bristle_friction_wanted *wanted, bristle_friction *friction)
{
  static const bristle_friction_wanted any = { 0, BRISTLE_LINEAR_OR_ROTARY, NULL };
  bristle_document *d = document_of(text);
  bristle_fault fault;
  const char *said = "accepted";
  if (bristle_friction_read(bristle_node_find(bristle_document_root(d), "friction"), wanted ? wanted : &any, friction,
                            &fault))
    said = sentence_of(&fault);
  bristle_document_free(d);
  return said;
}

static double parameter(const bristle_friction *f, const char *name, int at)
{
  return f->p[bristle_param_find(f->info, name)->first + at];
}

TEST(a_friction_block_becomes_a_law_and_its_parameters)
{
  bristle_friction f;
  CHECK_TEXT(
      friction_of("friction: {model: lugre, parameters: {sigma0: 100 N/mm, sigma1: 316 N*s/m, fc: 1 N, vs: 1 mm/s}}\n",
                  NULL, &f),
      "accepted");
  CHECK(!strcmp(f.info->name, "lugre") && f.law && f.load == BRISTLE_LOAD_FORCE && !f.rotary, "a linear contact");
  CHECK(parameter(&f, "sigma0", 0) == 1e5 && parameter(&f, "vs", 0) == 1e-3 && parameter(&f, "fs", 0) == 1.5,
        "values and defaults");
  CHECK_TEXT(friction_of("friction:\n  model: dahl\n  parameters:\n    sigma0: 5 N*m/rad\n    fc: 2 Nm\n", NULL, &f),
             "accepted");
  CHECK(f.rotary && parameter(&f, "sigma0", 0) == 5, "a rotary contact");
  CHECK_TEXT(friction_of("friction: {model: gms, parameters: {k: [1e4, 2 N/mm], alpha: [0.5, 0.5]}}\n", NULL, &f),
             "accepted");
  CHECK(parameter(&f, "k", 1) == 2000 && parameter(&f, "k", 2) == 0, "a list");
  CHECK_TEXT(friction_of("friction: {model: coulomb}\n", NULL, &f), "accepted");
  CHECK(parameter(&f, "fc", 0) == 1, "all defaults");
}

TEST(the_load_form_decides_units_and_defaults)
{
  bristle_friction f;
  CHECK_TEXT(
      friction_of("friction: {model: dahl, load: coefficient, parameters: {sigma0: 100 1/mm, fc: 0.3}}\n", NULL, &f),
      "accepted");
  CHECK(f.load == BRISTLE_LOAD_COEFFICIENT && parameter(&f, "sigma0", 0) == 1e5, "coefficient");
  CHECK_TEXT(
      friction_of("friction: {model: dahl, load: coefficient, parameters: {sigma0: 100 N/mm, fc: 0.3}}\n", NULL, &f),
      "rig.yaml:1:65: 'sigma0': found '100 N/mm' (a stiffness), expected a stiffness per load in 1/m or 1/rad; check "
      "the "
      "value and its unit");
  CHECK_TEXT(friction_of("friction:\n  model: dahl\n  load: coefficient\n  parameters: {sigma0: 1e5}\n", NULL, &f),
             "rig.yaml:4:15: 'parameters': the parameter 'fc' has no default in the load form 'coefficient'; give fc "
             "in 1: Coulomb "
             "level");
  CHECK_TEXT(friction_of("friction: {model: dahl, load: heavy}\n", NULL, &f),
             "rig.yaml:1:31: 'load': found 'heavy', expected force, coefficient or level");
}

TEST(bad_friction_blocks_are_refused_with_their_line)
{
  bristle_friction f;
  CHECK_TEXT(friction_of("friction: {model: lugree}\n", NULL, &f),
             "rig.yaml:1:19: 'model': there is no law 'lugree'; did you mean 'lugre'? `bristle models` lists them");
  CHECK_TEXT(friction_of("friction: {parameters: {}}\n", NULL, &f),
             "rig.yaml:1:11: 'friction': the key 'model' is missing; write model: NAME");
  CHECK_TEXT(friction_of("friction: lugre\n", NULL, &f),
             "rig.yaml:1:11: 'friction': found 'lugre', expected a mapping; write {key: value, ...} or indented lines");
  CHECK_TEXT(friction_of("friction:\n  model: lugre\n  parameters:\n    sigma: 1\n", NULL, &f),
             "rig.yaml:4:5: 'sigma' is no key here; did you mean 'sigma0'?");
  CHECK_TEXT(friction_of("friction:\n  model: lugre\n  params: {}\n", NULL, &f),
             "rig.yaml:3:3: 'params' is no key here; did you mean 'parameters'?");
  CHECK_TEXT(friction_of("friction:\n  model: lugre\n  parameters:\n    fc: 2\n    fs: 1\n", NULL, &f),
             "rig.yaml:5:9: 'fs': lugre: fs = 1 breaks a rule: fs must not be below fc");
  CHECK_TEXT(friction_of("friction:\n  model: lugre\n  parameters:\n    sigma0: -5 N/m\n", NULL, &f),
             "rig.yaml:4:13: 'sigma0': lugre: sigma0 = -5 is outside 0.001 to 1e12; check the value and its unit");
  CHECK_TEXT(friction_of("friction: {model: lugre, parameters: {sigma0: [1, 2]}}\n", NULL, &f),
             "rig.yaml:1:47: 'sigma0': found a list, expected a single value; write `key: value`");
  CHECK_TEXT(friction_of("friction: {model: gms, parameters: {k: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}}\n", NULL, &f),
             "rig.yaml:1:40: 'k': found 17 values, expected at most 10");
  CHECK_TEXT(friction_of("friction:\n  model: dahl\n  parameters:\n    fc: 2 N\n    sigma0: 5 N*m/rad\n", NULL, &f),
             "rig.yaml:5:13: 'sigma0': found '5 N*m/rad' (a rotary stiffness), expected a stiffness in N/m; 'fc' on "
             "line 4 has made "
             "this contact linear");
  bristle_friction_wanted rotary = { 0, 1, NULL }, plane = { 2, 0, NULL };
  CHECK_TEXT(friction_of("friction:\n  model: dahl\n  parameters:\n    fc: 2 N\n", &rotary, &f),
             "rig.yaml:4:9: 'fc': found '2 N' (a force), expected a torque in N*m; check the value and its unit");
  CHECK_TEXT(
      friction_of("friction:\n  model: gear\n", &plane, &f),
      "rig.yaml:2:10: 'model': the law 'gear' has no vector form, and it is needed here; laws with a vector form are "
      "coulomb, stribeck, tanh, dahl, lugre, lugre_bounded, lugre_ellipse, elasto_plastic, gms");
}

TEST(a_friction_block_may_name_a_model_file)
{
  char folder[] = "/tmp/bristle-test-XXXXXX", model[100], rig[100], expected[300];
  bristle_document *d;
  bristle_fault fault;
  bristle_friction f;
  bristle_friction_wanted any = { 0, BRISTLE_LINEAR_OR_ROTARY, NULL };
  CHECK(mkdtemp(folder) != NULL, "no folder");
  snprintf(model, sizeof model, "%s/joint3.yaml", folder);
  snprintf(rig, sizeof rig, "%s/rig.yaml", folder);
  const char *const texts[] = {
    "bristle: 1\nmodel: lugre\nparameters:\n  sigma0: {value: 1.02e5, unit: N/m, std: 2.1e3}\nidentified: {rms: 0.1}\n",
    "bristle: 1\nmodel: lugre\nparameters:\n  sigma0: 2 s\n",
    "bristle: 2\nmodel: lugre\n",
  };
  const char *const says[] = {
    "",
    ("/joint3.yaml:4:11: 'sigma0': found '2 s' (a time), expected a stiffness in N/m or a rotary "
     "stiffness in N*m/rad; check the value and its unit"),
    "/joint3.yaml:1:10: 'bristle': found version 2, expected 1; this program is older than the file"
  };
  for (int i = 0; i < 3; i++) {
    FILE *file = fopen(model, "w");
    fputs(texts[i], file);
    fclose(file);
    const char *text = "friction: {file: joint3.yaml}\n";
    CHECK(!bristle_document_parse(rig, text, strlen(text), &d, &fault), "the rig");
    int refused = bristle_friction_read(bristle_node_find(bristle_document_root(d), "friction"), &any, &f, &fault) != 0;
    CHECK(refused == (i > 0), "text %d", i);
    snprintf(expected, sizeof expected, "%s%s", folder, says[i]);
    if (refused) CHECK_TEXT(sentence_of(&fault), expected);
    else CHECK(parameter(&f, "sigma0", 0) == 1.02e5, "the value");
    bristle_document_free(d);
  }
  unlink(model);
  CHECK(!bristle_document_parse(rig, "friction: {file: joint3.yaml}", 29, &d, &fault), "the rig");
  CHECK(bristle_friction_read(bristle_node_find(bristle_document_root(d), "friction"), &any, &f, &fault), "no file");
  snprintf(expected, sizeof expected,
           "%s: the file cannot be read (No such file or directory); check the name and the folder", model);
  CHECK_TEXT(sentence_of(&fault), expected);
  bristle_document_free(d);
  rmdir(folder);
}
