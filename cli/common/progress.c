#include "progress.h"

#include "bristle/io.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 40, PATIENCE = 3 };

/* a signal can tell it in no other way */
static volatile sig_atomic_t stopped;

static void end(int number)
{
  bristle_output_abandon();
  signal(number, SIG_DFL);
  raise(number);
}

static void stop(int number)
{
  stopped = 1;
  signal(number, end); /* the second Ctrl-C ends the program at once, */
#ifndef __wasi__       /* where nobody sends signals either */
  alarm(PATIENCE);     /* and so does the time when the job does not listen */
#endif
}

void leave_nothing_on_signals(void)
{
  static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU };
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
    if (signal(ends[k], end) == SIG_IGN && ends[k] == SIGHUP) signal(SIGHUP, SIG_IGN); /* nohup wants it so */
  signal(SIGXFSZ, SIG_IGN); /* a limit for files is a full disk: an error of writing, not an end */
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_start(const char *what)
{
  signal(SIGINT, stop);
  signal(SIGTERM, stop);
  const char *pipe = getenv("BRISTLE_PROGRESS_FD");
  return (progress){ .what = what, .visible = isatty(STDERR_FILENO), .pipe = pipe ? atoi(pipe) : 0, .started = now() };
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
  const double elapsed = now() - p->started;
  if (p->pipe > 0 && elapsed - p->told >= 0.05) {
    p->told = elapsed;
    dprintf(p->pipe, "%.4f\n", fraction);
  }
  if (!p->visible) return stopped;
  if (elapsed < 1 || elapsed - p->last < 0.1) return stopped;
  p->last = elapsed;
  p->drawn = 1;
  draw(p, fraction < 0 ? 0 : fraction > 1 ? 1 : fraction, elapsed);
  return stopped;
}

void progress_end(progress *p)
{
  if (p->drawn) fputs("\r\033[K", stderr);
  fflush(stderr);
  p->drawn = 0;
}

int progress_is_stopped(void) { return stopped; }

void progress_be_patient(void)
{
#ifndef __wasi__
  alarm(0);
#endif
}
