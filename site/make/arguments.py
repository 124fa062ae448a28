"""What the arguments of C functions mean: one name means one thing in all headers. A name without a meaning stops the build."""

from __future__ import annotations

import re

MEANING = {
    "V": "largest speed that counts, m/s", "a": "a unit", "after": "states, or where they go, after the step", "b": "the contacts side by side, or a second unit",
    "before": "states before the step, or how many rows came before", "bits": "32 or 64: single or double precision", "block": "memory on the GPU",
    "build": "which build of the GPU library", "bytes": "size in bytes", "cells": "number of cells of the patch", "changes": "values to change, `KEY=VALUE`",
    "clocks": "step lengths of the rule", "columns": "gets names and units of the columns", "contact": "a law with its parameters and load form",
    "context": "is handed to your function as it is", "copy": "memory for a copy", "count": "how many there are", "deviation": "gets the standard deviation",
    "device": "number of the GPU", "df": "gets the derivatives of the force", "diff": "what is differentiated, and where the derivatives go", "dim": "1, 2 or 3 directions of sliding",
    "dimensions": "number of dimensions of the array", "ds": "gets the derivatives of the states", "e": "the bodies with one contact each", "element": "which element of a vector, counted from 0",
    "error": "gets what is wrong; may be NULL", "fault": "gets what is wrong, where, and what to do; may be NULL", "fit": "a result of an identification", "format": "which of the texts",
    "friction": "the law with its parameters", "from": "where values come from", "from_load": "load form of the parameters as they are", "host": "step of the host, s",
    "in": "velocity, position, load, step and compliance at this instant", "index": "which one, counted from 0", "info": "the table of a law", "inner": "inner radius, m; 0: a disk",
    "joint": "geometry, law and preload of the joint", "kind": "which kind", "law": "the law, or its name", "length": "length of the text", "length_x": "extent along x, m", "length_y": "extent along y, m",
    "lent": "memory that the caller keeps", "list": "gets the warnings", "load": "normal load, N, or the load form", "loads": "reaction force and moment at the joint", "map": "how reactions become load and lever",
    "memory": "memory of the caller, as large as the matching size function says", "method": "the solver", "missing": "value where there is none", "mode": "stuck, presliding or sliding",
    "model": "a law compiled for one precision and dimension", "motion": "velocities of the moving body relative to the other", "n": "normal load", "name": "a name as the tables have it",
    "net": "the contacts, and how they feel each other", "nx": "cells along x", "ny": "cells along y", "offset": "where to begin, in bytes", "option": "name of an option, as in the command line", "options": "what differs from the usual; NULL: nothing",
    "out": "gets the result", "outer": "outer radius, m", "p": "parameters in the order of the table", "patch": "cells of a contact patch", "path": "name of a file", "place": "which place, counted from 0",
    "pressure": "gets the pressure distribution", "progress": "is called with the part that is done; nonzero stops", "radius": "radius, m", "rate": "gets the rates of the states", "rig": "what moves: masses, springs, controller, contact",
    "rings": "cells along the radius", "role": "what a parameter stands for", "rotary": "nonzero: torques and angles", "row": "a row of a table", "rule": "the step rule", "rules": "the step rules", "s": "states of the contact, in and out; zero is the virgin state",
    "scenario": "the scenario", "sectors": "cells around", "segments": "number of pieces", "shape": "length along each dimension", "sink": "functions that get rows and events", "size": "room in characters, with the end", "slip": "slip speeds, m/s",
    "speed": "speed, m/s", "speeds": "speeds, m/s", "stats": "gets steps, events and energies of the run", "step": "number of the step", "stream": "stream of the GPU; NULL: the default one", "surface": "gets the limit surface", "t": "time, s",
    "table": "a table of named columns", "text": "a text, or room for one", "to": "where values go", "to_load": "load form that is wanted", "unit": "a unit", "v": "velocity", "v_end": "gets the velocity at the end of the step", "value": "the value, or where it goes",
    "wanted": "what the caller can take", "which": "gets which one", "work": "memory to work in, of the size that the header names", "wrench": "gets force along x and y, N, and torque, N m", "x": "position", "y": "second coordinate", "z": "deflection of the bristles",
}
_POINTER = re.compile(r"\(\*\s*(\w+)\)")


def parse(text: str) -> list[tuple[str, str]] | None:
    """(name, type) of the arguments of a declared function; None where the text declares none."""
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    head = plain.split("{")[0]
    found = re.search(r"\bbristle_\w+\s*\((.*)\)\s*;?\s*$", head.strip(), flags=re.S)
    if not found or re.match(r"\s*(typedef|struct|enum)", head):
        return None
    out = []
    for argument in re.split(r",(?![^()]*\))", found.group(1)):
        argument = " ".join(argument.split())
        if pointer := _POINTER.search(argument):
            out.append((pointer.group(1), argument.replace(pointer.group(1), "", 1)))
        elif argument and argument != "void" and (parts := re.match(r"(.*?)(\w+)((?:\[[^]]*\])*)$", argument)):
            out.append((parts.group(2), (parts.group(1).strip() + " " + parts.group(3)).strip()))
    return out


def table(text: str, where: str) -> str:
    """A table of the arguments of a function, or nothing."""
    found = parse(text)
    if not found:
        return ""
    rows = []
    for name, kind in found:
        if name not in MEANING:
            raise SystemExit(f"{where}: say in site/make/arguments.py what the argument {name} means")
        rows.append(f"| `{name}` | `{kind}` | {MEANING[name]} |")
    return "| argument | type | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n"
