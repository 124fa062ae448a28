/* What the reader of a robot's logs shares with its grid. */
#ifndef BRISTLE_ROBOT_LOGS_H
#define BRISTLE_ROBOT_LOGS_H

#include "robot/data.h"

enum { LOG_SHORTEST = 100 }; /* samples of a stretch that is used */

typedef struct log_reader {
  bristle_robot_study *study;
  robot_data *data;
  robot_log *log;
  const bristle_table *table;
  robot_columns found;
  unsigned char *whole; /* rows that have all numbers */
  bristle_fault *fault;
} log_reader;

bristle_fault_kind log_reader_refuse(const log_reader *r, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* NULL: the log has no such column */
const bristle_column *log_reader_column(const log_reader *r, int joint, robot_channel channel);
/* the column that the torque comes from, and what it is multiplied with; NULL: none */
const bristle_column *log_reader_torque(const log_reader *r, int joint, double *factor);
/* the grid of the log, and its columns on it, from the rows that are whole */
bristle_fault_kind log_reader_grid(log_reader *r);

#endif
