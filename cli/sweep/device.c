/* Marches of a sweep on an NVIDIA GPU. */
#include "device.h"

#include "common/cli.h"
#include "platform/platform.h"

/* where BRISTLE_CUDA says, a folder or the file; else beside the tool, in cuda/ beside it (where it is built), or where
   the system looks */
static void *load(const char *name, char *why, size_t room)
{
  const char *const told = getenv("BRISTLE_CUDA");
  static const char *const places[] = { "", "cuda/", "../lib/" };
  char path[4300], *self;
  platform_about about;
  void *library = NULL;
  if (told) {
    const int is_folder = platform_look(told, &about) == 0 && about.kind == PLATFORM_FOLDER;
    snprintf(path, sizeof path, "%.4000s%s%s", told, is_folder ? "/" : "", is_folder ? name : "");
    return platform_library(path, 0, why, room);
  }
  self = platform_own_path();
  for (size_t i = 0; self && i < sizeof places / sizeof *places && !library; i++) {
    snprintf(path, sizeof path, "%.*s%s%s", (int)(platform_name(self) - self), self, places[i], name);
    if (platform_look(path, &about) == 0) library = platform_library(path, 0, why, room);
  }
  free(self);
  return library ? library : platform_library(name, 0, why, room);
}

static void *find(void *library, const char *function, int *missing)
{
  void *found = library ? platform_function(library, function) : NULL;
  *missing |= !found;
  return found;
}

int device_find(device *d)
{
  int missing = 0;
  char name[40], why[300] = "";
  snprintf(name, sizeof name, "libbristle-cuda%s", platform_library_ending);
  d->library = load(name, why, sizeof why);
  if (!d->library)
    return failure(FAILED,
                   "--device cuda needs %s, which cannot be loaded (%s): `make cuda` builds it in build/cuda; "
                   "set BRISTLE_CUDA to its folder where it is elsewhere",
                   name, why);
  *(void **)&d->devices = find(d->library, "bristle_cuda_devices", &missing);
  *(void **)&d->error = find(d->library, "bristle_cuda_error", &missing);
  *(void **)&d->law = find(d->library, "bristle_cuda_law", &missing);
  *(void **)&d->new_block = find(d->library, "bristle_cuda_new", &missing);
  *(void **)&d->data = find(d->library, "bristle_cuda_data", &missing);
  *(void **)&d->release = find(d->library, "bristle_cuda_release", &missing);
  *(void **)&d->copy = find(d->library, "bristle_cuda_copy", &missing);
  *(void **)&d->wait = find(d->library, "bristle_cuda_wait", &missing);
  *(void **)&d->march = find(d->library, "bristle_cuda_march", &missing);
  if (missing) return failure(FAILED, "%s is older than this tool: run `make cuda` again", name);
  if (d->devices() < 1)
    return failure(FAILED, "--device cuda: there is no GPU that CUDA can use (no NVIDIA device, or no driver for it)");
  return DONE;
}

/* an array of the ensemble: it goes there, and comes back where it is written */
typedef struct travel {
  void *here;
  size_t bytes, place;
  int returns;
} travel;

enum { ARRAYS = 10, ALIGNMENT = 256 };

static int send(const device *d, const travel *all, char *there, int back)
{
  int error = 0;
  for (int i = 0; i < ARRAYS && !error; i++)
    if (all[i].here && (!back || all[i].returns))
      error = back ? d->copy(all[i].here, there + all[i].place, all[i].bytes, NULL)
                   : d->copy(there + all[i].place, all[i].here, all[i].bytes, NULL);
  return error;
}

int device_march(const device *d, const bristle_law *law, const bristle_ensemble *e, char why[200])
{
  const bristle_info *info = law->f64->info;
  const size_t row = e->count * sizeof(double), program = e->steps * sizeof(double);
  travel all[ARRAYS] = { { (void *)e->p, (e->per_contact ? row : sizeof(double)) * (size_t)info->nparam, 0, 0 },
                         { (void *)e->n, row, 0, 0 },
                         { (void *)e->body, (e->per_body ? row : sizeof(double)) * BRISTLE_BODY_ROWS, 0, 0 },
                         { (void *)e->place, program, 0, 0 },
                         { (void *)e->speed, program, 0, 0 },
                         { e->x, row, 0, 1 },
                         { e->v, row, 0, 1 },
                         { e->s, row * (size_t)info->nstate, 0, 1 },
                         { e->f, row, 0, 1 },
                         { e->tally, row * BRISTLE_TALLY_ROWS, 0, 1 } };
  size_t size = 0;
  for (int i = 0; i < ARRAYS; i++) {
    all[i].place = size;
    size += (all[i].bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  }
  bristle_cuda_block *block = NULL;
  const bristle_law *own = d->law(law->name);
  int error = own ? d->new_block(0, size, &block) : 1;
  char *there = error ? NULL : d->data(block);
  double *at[ARRAYS];
  for (int i = 0; i < ARRAYS; i++) at[i] = there && all[i].here ? (double *)(there + all[i].place) : NULL;
  bristle_ensemble moved = *e;
  moved.p = at[0], moved.n = at[1], moved.body = at[2], moved.place = at[3], moved.speed = at[4];
  moved.x = at[5], moved.v = at[6], moved.s = at[7], moved.f = at[8], moved.tally = at[9];
  if (!error) error = send(d, all, there, 0);
  if (!error) error = d->march(own, BRISTLE_CUDA_EXACT, &moved, NULL);
  if (!error) error = send(d, all, there, 1);
  if (!error) error = d->wait(NULL);
  if (error) snprintf(why, 200, "the GPU: %.150s", d->error(error));
  if (block) d->release(block);
  return error;
}
