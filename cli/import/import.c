/* bristle import: friction that another tool knows, as a model file. */
#include "import/import.h"

#include "common/cli.h"

typedef struct request {
  bridge_import import;
} request;

static int run(void *asked)
{
  request *q = asked;
  bristle_fault fault;
  bridge_result r;
  q->import.version = BRISTLE_VERSION;
  if (bridge_import_run(&q->import, &r, &fault)) return fault_exit(&fault);
  for (int i = 0; i < r.files; i++) printf("wrote %s\n", r.file[i]);
  for (int i = 0; i < r.losses; i++) printf("not represented: %s\n", r.lost[i]);
  return finish_output(stdout);
}

static const option options[] = { { "-o", "MODEL.yaml", OPTION_TEXT, IN(request, import.output),
                                    .help = "the model file", .also = "--output",
                                    .ask = "-o needs the name of a model file" },
                                  { "--joint", "NAME", OPTION_TEXT, IN(request, import.joint),
                                    .help = "name of the joint, where the file has several" },
                                  OPTIONS_END };

const verb verb_import = {
  .name = "import",
  .summary = "read friction parameters of another tool into a model file",
  .about = "Reads the friction of a BAM parameter file (JSON), or damping and friction of a joint in a URDF or "
           "MuJoCo file (XML), and writes a model file. Lists what no law can represent.",
  .argument = { "FILE", NULL, OPTION_FILE, IN(request, import.file), .help = "the file: .json, .urdf, .xml",
                .ask = "which file?", .noun = "file" },
  .options = options,
  .examples = "bristle import examples/import/joint.urdf -o joint.yaml\n",
  .request = sizeof(request),
  .run = run,
};
