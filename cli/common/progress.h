/* A progress bar on the terminal, and a wish to stop. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

/* Appears on stderr when the job takes longer than a second, only if that is a terminal, and leaves nothing behind. A
   program that runs the tool may pass a pipe instead: BRISTLE_PROGRESS_FD=N gets a fraction on each line. */
typedef struct progress {
  const char *what; /* one or two words */
  int visible;      /* stderr is a terminal */
  int pipe;         /* a file that wants to be told, or 0 */
  int drawn;
  double started, last, told, furthest, moved; /* moved: seconds until it last grew */
} progress;

/* From here on a signal that ends the program leaves no half-written file. */
void leave_nothing_on_signals(void);

progress progress_start(const char *what);
/* Nonzero when the user wants to stop (Ctrl-C): the job ends and leaves no half-written file. */
int progress_show(progress *p, double fraction);
void progress_end(progress *p);
int progress_is_stopped(void);
/* The job has heard the wish to stop and takes its time; a second one still ends it. */
void progress_be_patient(void);

#endif
