"""The same little experiment with any law in C, in Python and as a scenario: what the pages show and the tests run."""

from __future__ import annotations

from typing import Any


def c_text(law: dict[str, Any]) -> str:
    name = law["name"]
    state = f"  bristle_{name}_state s = {{ 0 }};\n" if law["states"] else ""
    given = "&p, &s, &in, &v" if law["states"] else "&p, &in, &v"
    return (
        f"#include <bristle/params.h>\n#include <stdio.h>\n\nint main(void)\n{{\n  bristle_{name} p = bristle_{name}_default();\n{state}"
        "  double v = 0, x = 0, force = 0, h = 1e-3, m = 1;\n"
        "  for (int i = 0; i < 1000; i++) { /* the pull rises to 2 N within a second */\n"
        "    double pull = 2e-3 * i;\n"
        "    bristle_input in = { .v = v + h / m * pull, .x = x, .n = 1, .f = pull, .w = h / m, .h = h };\n"
        f"    force = bristle_{name}_step({given});\n    x += h * v;\n  }}\n"
        '  printf("x %.6f m, v %.6f m/s, friction %.6f N\\n", x, v, force);\n}\n'
    )


def python_text(law: dict[str, Any]) -> str:
    steady = "law.steady([0.001, 0.01]), " if "steady" in law["traits"] else ""
    return (
        f"import bristle\n\nlaw = bristle.{law['name']}()              # every parameter has a default\n"
        "contact, v, x, h, m = law.contact(), 0.0, 0.0, 1e-3, 1.0\n"
        "for i in range(1000):               # the pull rises to 2 N within a second\n"
        "    pull = 2e-3 * i\n"
        "    force = contact.step(v + h / m * pull, h, x=x, f=pull, w=h / m)\n"
        "    v = contact.velocity\n    x += h * v\n"
        f"print({steady}x, v, force)\n"
    )


def yaml_text(law: dict[str, Any]) -> str:
    rows = [row for row in law["parameters"] if row["count"] == 1 and row["kind"] != "option" and row["default"] < 1e8][
        :6
    ]
    values = ", ".join(f"{row['name']}: {row['default']:g}" for row in rows)
    return (
        "rig: spring-pull\nmass: 1 kg\nstiffness: 100 N/m\nspeed: 10 mm/s\nload: 1 N\n"
        f"friction: {{model: {law['name']}, parameters: {{{values}}}}}\ntime: {{end: 1 s, output: 10 ms}}\n"
    )
