#include "progress.h"

#include "lab/io.h"
#include "platform/platform.h"

#include <signal.h>
#include <stdlib.h>

enum { WIDTH = 40, PATIENCE = 3 };

/* a signal can tell it in no other way */
static volatile sig_atomic_t stopped;

static void note_wish(void) { stopped = 1; }

void leave_nothing_on_signals(void) { platform_before_end(bristle_output_abandon); }

progress progress_start(const char *what)
{
  platform_on_stop(note_wish, PATIENCE);
  const char *pipe = getenv("BRISTLE_PROGRESS_FD");
  return (progress){
    .what = what, .visible = platform_is_terminal(stderr), .pipe = pipe ? atoi(pipe) : 0, .started = platform_seconds()
  };
}

static void draw(const progress *p, double fraction, double elapsed)
{
  char bar[WIDTH + 1];
  const int full = (int)(fraction * WIDTH);
  for (int i = 0; i < WIDTH; i++) bar[i] = i < full ? '#' : '.';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r%s [%s] %3.0f %%", p->what, bar, 100 * fraction);
  if (fraction > 0.01) fprintf(stderr, ", %.0f s left ", elapsed * (1 - fraction) / fraction);
  fputs("\033[K", stderr);
  fflush(stderr);
}

int progress_show(progress *p, double fraction)
{
  if (!p->visible && p->pipe <= 0) return stopped;
  if (fraction < p->furthest) fraction = p->furthest; /* work that turns up on the way makes no bar go back */
  const int ends = fraction >= 1 && p->furthest < 1;
  p->furthest = fraction > 1 ? 1 : fraction;
  const double elapsed = platform_seconds() - p->started;
  if (p->pipe > 0 && (ends || elapsed - p->told >= 0.05)) {
    char line[40];
    p->told = elapsed;
    snprintf(line, sizeof line, "%.4f\n", p->furthest);
    platform_tell(p->pipe, line);
  }
  if (!p->visible) return stopped;
  if (elapsed < 1 || elapsed - p->last < 0.1) return stopped;
  p->last = elapsed;
  p->drawn = 1;
  draw(p, p->furthest, elapsed);
  return stopped;
}

void progress_end(progress *p)
{
  if (p->drawn) fputs("\r\033[K", stderr);
  fflush(stderr);
  p->drawn = 0;
}

int progress_is_stopped(void) { return stopped; }

void progress_be_patient(void) { platform_be_patient(); }
