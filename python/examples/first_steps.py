"""First steps: a law, its curve, one contact, a simulated machine."""

# %% A law is a name and parameters. Everything has a default, a unit and a range.
import bristle

law = bristle.lugre(fc=1, fs="1.5 N", vs="1 mm/s")
print(law)
print(f"sigma0 = {law.sigma0} {law.unit('sigma0')}")

# %% It can be asked like a NumPy function.
print("steady friction:", law.steady([0.0005, 0.001, 0.01, 0.1]))

# %% A wrong value is refused with a sentence.
try:
    law.with_(fs="0.5 N")
except bristle.ParameterError as error:
    print("refused:", error)

# %% One contact that keeps its state: a 1 kg block pulled by a spring of 2 N/m at 0.1 m/s sticks and slips.
contact = law.contact()
x, v, h, mass = 0.0, 0.0, 1e-3, 1.0
for i in range(20_000):
    pull = 2 * (0.1 * h * (i + 1) - x)
    friction = contact.step(v + h / mass * pull, h, w=h / mass)  # v: without friction; w: what a newton takes from it
    v = contact.velocity
    x += h * v
    if i % 5000 == 4999:
        print(f"t {(i + 1) * h:4.0f} s   x {x:.4f} m   v {v:.4f} m/s   F {friction:.4f} N")

# %% The same as a scenario, solved with error control, with events and an energy account.
run = bristle.simulate(
    {
        "rig": "spring-pull",
        "mass": "1 kg",
        "stiffness": "2 N/m",
        "speed": "0.1 m/s",
        "friction": law,
        "time": {"end": "20 s", "output": "10 ms"},
    }
)
print(run)
print("first slip at", round(run.events[0][0], 3), "s; energy:", {k: round(e, 4) for k, e in run.energy.items()})
assert abs(run["x"][-1] - x) < 0.02
