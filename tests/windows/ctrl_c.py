"""ctrl_c.py SECONDS PROGRAM ARGUMENTS...: runs a program on a terminal of its own, types Ctrl-C after a time and prints its exit code."""
import os
import pty
import select
import sys
import time

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
typed, end = time.monotonic() + float(sys.argv[1]), time.monotonic() + 60
while time.monotonic() < end:
    if typed and time.monotonic() > typed:
        os.write(terminal, b'\x03')
        typed = 0
    if select.select([terminal], [], [], 0.1)[0]:
        try:
            if not os.read(terminal, 65536):
                break
        except OSError:  # it has ended
            break
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
