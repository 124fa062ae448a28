"""Pictures: axes in, axes out; laws of every kind."""

from __future__ import annotations

import numpy as np
import pytest

import bristle

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.mark.parametrize("name", ["coulomb", "lugre", "gms", "wojewoda", "gear"])
def test_laws_draw_themselves(name: str) -> None:
    from matplotlib import pyplot

    made = bristle.law(name).plot()
    assert len(made) == 3 and all(len(ax.lines) >= 1 and ax.get_xlabel() for ax in made)
    for ax in made:
        for line in ax.lines:
            assert np.all(np.isfinite(line.get_ydata()))
    pyplot.close("all")


def test_the_curves_mean_what_they_say() -> None:
    from matplotlib import pyplot

    law = bristle.lugre()
    steady = bristle.pictures.plot_steady(law)
    x, y = steady.lines[0].get_data()
    assert np.array_equal(law.steady(x), y)
    position, force = bristle.pictures.loop(law, 5e-5)
    assert np.max(force) > 0.9 and np.min(force) < -0.9 and np.ptp(position) == pytest.approx(1e-4, rel=1e-3)
    slow, fast = bristle.pictures.break_away(law, 1.0), bristle.pictures.break_away(law, 1000.0)
    assert 1.0 < fast < slow <= 1.5
    axes = pyplot.subplots(1, 2)[1]
    assert bristle.pictures.plot_stick_slip(law, ax=axes)[0] is axes[0]
    with pytest.raises(bristle.ParameterError, match="3 axes"):
        law.plot(axes)
    run = bristle.simulate(
        {"rig": "mass", "mass": 1, "force": 0.5, "friction": law, "time": {"end": 0.1, "output": 0.01}}
    )
    assert run.plot("x", "F")[1].get_ylabel() == "F [N]"
    pyplot.close("all")
