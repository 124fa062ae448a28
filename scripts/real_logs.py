"""Real logs and how the tool is run on them: what test-real.py and study-halves.py share.

The logs are not part of this project: $BRISTLE_DATA, or ../shared/data. Each is named with its columns and its force
factor, nothing else.
"""
import csv
import json
import math
import os
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(os.environ.get("TOOL", os.path.join(ROOT, os.environ.get("BUILD", "build"), "bristle")))
DATA = os.environ.get("BRISTLE_DATA", os.path.join(ROOT, "..", "shared", "data"))
LIMIT = 300  # seconds for one command

# ---- columns and force factors ----

EMPS = ["--position", "position_m", "--force", "motor_force_N", "--mass", "free"]
UR_GAIN = [14.87, 13.26, 11.13, 10.62, 11.03, 11.47]
SERVO = ["--position", "position_rad", "--velocity", "velocity_rad_s", "--force", "torque_command_Nm", "--mass", "free"]
INERTIA = ["servo_torque/inertia_coulomb_viscous_%02d.csv" % k for k in range(1, 6)]
PRESLIDING = ["servo_torque/presliding_%02d.csv" % k for k in range(1, 6)]
GEARBOX = ["--position", "output_position_rad", "--velocity", "output_velocity_rad_s", "--force",
           "output_torque_estimate_Nm", "--mass", "free"]
PENDULUM = ["--position", "position_rad", "--velocity", "velocity_firmware_rad_s", "--force",
            "motor_voltage_V*0.0678 Nm", "--mass", "free"]
SEAL = ["--position", "position_m", "--force", "friction_force_N"]
DRIVEN = ["bam_xl330/xl330_kp%d_%s.csv" % (kp, motion) for kp in (100, 200, 400, 800)
          for motion in ("sin_sin", "sin_time_square", "up_and_down")]
DROPPED = ["bam_xl330/xl330_kp%d_lift_and_drop.csv" % kp for kp in (100, 200, 400, 800)]
CYCLOIDAL = ["cycloidal_gearbox/speedramp_baseline_onyx_100s.csv",
             "cycloidal_gearbox/speedramp_pinwheel_onyx_pccf_60s.csv"]


def ur_options(j):
    return ["--position", "q%d_rad" % j, "--velocity", "dq%d_rad_s" % j, "--force",
            "current%d_A*%g Nm" % (j, UR_GAIN[j - 1]), "--mass", "free"]


def columns(path, *names):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    place = [rows[0].index(n) for n in names]
    return [[float(r[p]) for r in rows[1:]] for p in place]


# ---- one run of the tool ----


class Run:
    """What one command found: `value` by a name that means the same for every law."""

    def __init__(self, files, options):
        self.command = ["identify"] + [os.path.join(DATA, f) for f in files] + [
            os.path.join(DATA, o) if o.endswith(".csv") else o for o in options]
        self.json, self.message = None, ""

    def start(self):
        handle, self.model = tempfile.mkstemp(suffix=".yaml")
        os.close(handle)
        os.unlink(self.model)
        begin = time.time()
        try:
            done = subprocess.run([TOOL] + self.command + ["--json", "-o", self.model], capture_output=True, text=True,
                                  timeout=LIMIT, stdin=subprocess.DEVNULL)
            self.code, out, self.message = done.returncode, done.stdout, done.stderr.strip()
        except subprocess.TimeoutExpired:
            self.code, out, self.message = 124, "", "more than %d s" % LIMIT
        self.seconds = time.time() - begin
        try:
            self.json = json.loads(out)
        except ValueError:
            pass
        return self

    def end(self):
        if os.path.exists(self.model):
            os.unlink(self.model)

    def best(self):
        return self.json["results"][0] if self.json and self.json["results"] else None

    def law(self):
        return self.best()["variant"] if self.best() else "none"

    def cutoff(self):
        data = self.json["data"][0] if self.json else {}
        return data.get("cutoff_Hz") or math.nan

    def entry(self, law):
        """The result of a law by itself, without what the directions differ by."""
        found = [r for r in self.json["results"] if r["variant"] == law] if self.json else []
        return found[0] if found else None


def numbers(result):
    return {p["name"]: p for p in result["parameters"]}


def value_of(result, name):
    """(value, deviation, whether it is called determined)"""
    have = numbers(result)
    if name + "_plus" in have and name + "_minus" in have:  # the mean of the two directions
        a, b = have[name + "_plus"], have[name + "_minus"]
        deviation = math.hypot(a["std"] or 0, b["std"] or 0) / 2
        return (a["value"] + b["value"]) / 2, deviation, not a["reason"] + b["reason"]
    if name == "stiffness":
        parts = [p for n, p in have.items() if n == "sigma0" or n.startswith("k[")]
        if not parts:
            return math.nan, math.nan, False
        return sum(p["value"] for p in parts), parts[0]["std"] or math.nan, not any(p["reason"] for p in parts)
    if name == "gravity":  # amplitude
        parts = [have[n] for n in ("gravity", "gravity_cos") if n in have]
        if not parts:
            return math.nan, math.nan, False
        return math.hypot(*[p["value"] for p in parts], 0), parts[0]["std"] or math.nan, True
    if name not in have:
        return math.nan, math.nan, False
    p = have[name]
    return p["value"], p["std"] if p["std"] is not None else math.nan, not p["reason"]
