#include "progress.h"

#include "lab/io.h"
#include "maths/elementary.h"
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

/* An early estimate is a guess, and one from a bar that has stood for long is wrong: neither is shown. */
static int is_steady(const progress *p, double fraction, double elapsed)
{
  static const double EARLY = 0.05, STANDS = 0.25; /* of the whole; of the time until now */
  return fraction > EARLY && elapsed - p->moved < STANDS * elapsed;
}

static void draw_left(double seconds)
{
  if (seconds < 90) fprintf(stderr, ", about %.0f s left ", seconds < 10 ? seconds : 5 * round(seconds / 5));
  else if (seconds < 5400) fprintf(stderr, ", about %.0f min left ", seconds / 60);
  else fprintf(stderr, ", about %.0f h left ", seconds / 3600);
}

static void draw(const progress *p, double fraction, double elapsed)
{
  char bar[WIDTH + 1];
  const int full = (int)(fraction * WIDTH);
  for (int i = 0; i < WIDTH; i++) bar[i] = i < full ? '#' : '.';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r%s [%s] %3.0f %%", p->what, bar, 100 * fraction);
  if (is_steady(p, fraction, elapsed)) draw_left(elapsed * (1 - fraction) / fraction);
  fputs("\033[K", stderr);
  fflush(stderr);
}

int progress_show(progress *p, double fraction)
{
  if (!p->visible && p->pipe <= 0) return stopped;
  if (fraction < p->furthest) fraction = p->furthest; /* work that turns up on the way makes no bar go back */
  const int ends = fraction >= 1 && p->furthest < 1;
  const double elapsed = platform_seconds() - p->started;
  if (fraction > p->furthest) p->moved = elapsed;
  p->furthest = fraction > 1 ? 1 : fraction;
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
