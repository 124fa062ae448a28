"""Friction: every law from Coulomb to generalised Maxwell slip, exact, stable when coupled, identified from logs.

    import bristle
    law = bristle.lugre(sigma0=1e5, vs="1 mm/s")
    law.steady([0.001, 0.01])

The laws are read from the tables of the C library; `bristle.laws` lists them, `help(bristle.lugre)` explains one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import laws as laws
from ._library import lib as _lib
from ._library import text as _text
from .errors import BristleError as BristleError
from .errors import FileError as FileError
from .errors import NotConvincing as NotConvincing
from .errors import ParameterError as ParameterError
from .errors import ShapeError as ShapeError
from .errors import ToolError as ToolError
from .errors import UnitError as UnitError
from .errors import UnknownNameError as UnknownNameError
from .files import from_yaml as from_yaml
from .files import load as load
from .law import Law as Law
from .law import Step as Step
from .law import law_class
from .tables import law_names
from .units import quantity as quantity

if TYPE_CHECKING:
    from . import cuda as cuda
    from . import pictures as pictures
    from . import planar as planar
    from . import tables as tables
    from . import tool as tool
    from . import vector as vector
    from .contacts import Contact as Contact
    from .contacts import Contacts as Contacts
    from .derivatives import Derivatives as Derivatives
    from .fits import Estimate as Estimate
    from .fits import Fit as Fit
    from .fits import identify as identify
    from .fleets import Fleet as Fleet
    from .fleets import fleet as fleet
    from .joint import Joint as Joint
    from .laws import *  # noqa: F403
    from .logs import Log as Log
    from .logs import read_log as read_log
    from .network import Network as Network
    from .odes import rhs as rhs
    from .planar import Patch as Patch
    from .planar import Reduced as Reduced
    from .runs import Run as Run
    from .runs import simulate as simulate
    from .runs import vary as vary
    from .steprule import StepRule as StepRule
    from .sweeps import Sweep as Sweep
    from .sweeps import identify_many as identify_many
    from .sweeps import sweep as sweep
    from .vector import VectorLaw as VectorLaw
    from .verbs import compare as compare
    from .verbs import loads as loads
    from .verbs import plan as plan

__version__ = _text(_lib.bristle_version())

# what is loaded when it is first used
_LATER = {
    "Contact": "contacts",
    "Contacts": "contacts",
    "Derivatives": "derivatives",
    "Estimate": "fits",
    "Fit": "fits",
    "Fleet": "fleets",
    "Joint": "joint",
    "Log": "logs",
    "Network": "network",
    "Patch": "planar",
    "Reduced": "planar",
    "Run": "runs",
    "StepRule": "steprule",
    "Sweep": "sweeps",
    "VectorLaw": "vector",
    "compare": "verbs",
    "fleet": "fleets",
    "identify": "fits",
    "identify_many": "sweeps",
    "loads": "verbs",
    "plan": "verbs",
    "read_log": "logs",
    "rhs": "odes",
    "simulate": "runs",
    "sweep": "sweeps",
    "vary": "runs",
}
# what is loaded at once
_HERE = (
    "BristleError",
    "FileError",
    "Law",
    "NotConvincing",
    "ParameterError",
    "ShapeError",
    "Step",
    "ToolError",
    "UnitError",
    "UnknownNameError",
    "__version__",
    "from_yaml",
    "law",
    "laws",
    "load",
    "quantity",
)
_MODULES = ("cuda", "pictures", "planar", "tables", "tool", "vector")


def law(name: str, **parameters: Any) -> Law:
    """A law by its name: `bristle.law("lugre", fs=2)`."""
    return law_class(name)(**parameters)


def __dir__() -> list[str]:
    """The interface and nothing else."""
    return sorted({*_HERE, *_LATER, *_MODULES, *law_names()})


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _LATER:
            value = getattr(import_module("." + _LATER[name], __name__), name)
            globals()[name] = value
            return value
        if name in _MODULES:
            return import_module("." + name, __name__)
        if name.startswith("_"):
            raise AttributeError(f"module 'bristle' has no attribute {name!r}")
        return getattr(laws, name)
