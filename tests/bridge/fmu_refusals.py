"""What FMUs refuse, as FMPy sees it: a part of fmu.py. tests/bridge/fmu_calls.py has every function in every state."""
import os
import shutil
import subprocess

from fmpy import extract, read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Model, FMU2Slave, defaultCallbacks, fmi2CallbackFunctions, fmi2CallbackLoggerTYPE
from fmpy.fmi3 import FMU3Model, FMU3Slave


def tool_says(tool, folder, check, law, values):
    """the sentence with which the tool refuses the same parameters"""
    run = subprocess.run([tool, "export", law, "--to", "json", "-o", os.path.join(folder, "refused.json"), "--set",
                          ",".join(f"{k}={v}" for k, v in values.items())], capture_output=True, text=True)
    check(run.returncode != 0, "the tool takes", law, values)
    return run.stderr


class Told:
    """an instance whose messages are kept; calls give their status"""
    def __init__(self, path, version, kind):
        self.unpacked, description = extract(path), read_model_description(path)
        self.at = {v.name: v.valueReference for v in description.modelVariables}
        self.said, self.version, self.kind = [], version, kind
        make = {(2, "ME"): FMU2Model, (2, "CS"): FMU2Slave, (3, "ME"): FMU3Model, (3, "CS"): FMU3Slave}[version, kind]
        self.fmu = make(guid=description.guid, unzipDirectory=self.unpacked, modelIdentifier=description.coSimulation.modelIdentifier, instanceName="one")
        if version == 2:
            self.callbacks = fmi2CallbackFunctions()
            self.callbacks.logger = fmi2CallbackLoggerTYPE(lambda e, name, status, category, text: self.said.append((status, text.decode())))
            self.callbacks.allocateMemory, self.callbacks.freeMemory = defaultCallbacks.allocateMemory, defaultCallbacks.freeMemory
            self.fmu.instantiate(callbacks=self.callbacks, loggingOn=True)
        else:
            self.fmu.instantiate(loggingOn=True, logMessage=lambda e, status, category, text: self.said.append((status, text.decode())))

    def status(self, call, *arguments):
        try:
            call(*arguments)
            return 0
        except FMICallException as refused:
            return refused.status

    def set(self, name, value):
        return self.status(self.fmu.setReal if self.version == 2 else self.fmu.setFloat64, [self.at[name]], [value])

    def start(self):
        if self.version == 2:
            self.fmu.setupExperiment()
        self.fmu.enterInitializationMode()

    def close(self):
        self.fmu.freeInstance()
        shutil.rmtree(self.unpacked, ignore_errors=True)


def at_every_time(path, version, kind, body):
    """`body` with a fresh instance before, in and after initialisation"""
    for when in ("instantiated", "initializing", "running"):
        one = Told(path, version, kind)
        if when != "instantiated":
            one.start()
        if when == "running":
            one.fmu.exitInitializationMode()
        body(one, f"FMI {version} {kind} {when}")
        one.close()


def refusals(tool, folder, check, export):
    """impossible parameters are refused with the sentence that the tool has; an error, after which nothing goes on"""
    bad = {"fc": "-1", "vs": "0", "mass": "0", "stiffness": "-2", "step": "inf", "sigma2": "nan"}
    own = {name: tool_says(tool, folder, check, "stribeck", {name: value}) for name, value in bad.items() if name in ("fc", "vs")}
    rule = tool_says(tool, folder, check, "stribeck", {"fs": "0.2", "fc": "0.5"})
    for version in (2, 3):
        path = export("stribeck", version, "body", name="refusing")
        for kind in ("ME", "CS"):
            for name, value in bad.items():
                def refused(one, when):
                    check(one.set(name, float(value)) == 3, when, name, value, "is refused")
                    status, text = one.said[-1] if one.said else (0, "")
                    check(status == 3 and f"stribeck: {name} = {value}" in text, when, text)
                    check(name not in own or text.split("stribeck: ")[1] in own[name], when, "as the tool says", text, own.get(name))
                    check(one.status(one.fmu.exitInitializationMode) == 3 and one.status(one.fmu.terminate) == 3, when, "nothing goes on")
                    one.fmu.reset()
                    check(one.set(name, 1.0) == 0, when, "but begins anew")
                at_every_time(path, version, kind, refused)

            def rules(one, when):
                check(one.set("fs", 0.2) == 0, when, "fs below fc may be followed by fc")
                check(one.set("fc", 0.5) == 0, when)
                if "running" not in when:
                    if "initializing" not in when:
                        one.start()
                    computes = one.fmu.exitInitializationMode
                else:
                    computes = (lambda: one.fmu.doStep(0, 1e-3)) if kind == "CS" else one.fmu.enterContinuousTimeMode
                check(one.status(computes) == 3, when, "and is refused when it counts")
                check(one.said and one.said[-1][1].split("stribeck: ")[1] in rule, when, "as the tool says", one.said, rule)
            at_every_time(path, version, kind, rules)
