"""The MuJoCo plugin, with the wheel: mujoco_plugin.py FOLDER. Prints the table of hold and break-away, one line for each failure
and a count."""
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import bristle
import bristle.mujoco
import mujoco
import mujoco_models as models
import mujoco_table
import mujoco_worlds
import numpy as np
from mujoco import batch, rollout

folder, root = Path(sys.argv[1]).absolute(), Path(__file__).resolve().parents[2]
counts = {True: 0, False: 0}
FULL = mujoco.mjtState.mjSTATE_INTEGRATION
SERVO = "".join(f'<position joint="j{i}" kp="300" kv="8" forcerange="-40 40"/>' for i in range(6))
SLIPPING = dict(models.ARM_LUGRE, fc=2, fs=3, sigma0=1e4, sigma1=50)


def check(holds, *words):
    counts[bool(holds)] += 1
    if not holds:
        print("FAIL", *words, flush=True)


def refused(what, words, act):
    try:
        act()
    except Exception as error:
        check(all(word in str(error) for word in words), what, "says", str(error)[-300:])
    else:
        check(False, what, "is not refused")


# ---- building and loading ----

def building():
    path = bristle.mujoco.build(folder / "built")
    check(path.is_file() and list((folder / "built").iterdir()) == [path], "one file is built", path)
    old = folder / "old" / "libbristle_mujoco-3.9.0.so"
    old.parent.mkdir()
    old.write_bytes(b"")
    refused("no plugin", ["none is there", "python -m bristle.mujoco build"], lambda: bristle.mujoco.load(folder / "none"))
    refused("another version", ["only that for MuJoCo 3.9.0", mujoco.__version__], lambda: bristle.mujoco.load(old.parent))
    refused("another version", ["was built for MuJoCo 3.9.0"], lambda: bristle.mujoco.load(old))
    refused("not a folder", ["cannot write to", "--output"], lambda: bristle.mujoco.build("/dev/null/x"))
    for compiler, words in (("false", ["the compiler refused"]), ("no-such-compiler", ["no C compiler", "CC"])):
        os.environ["CC"], kept = compiler, os.environ.get("CC", "cc")
        refused(compiler, words, lambda: bristle.mujoco.build(folder / "failed"))
        os.environ["CC"] = kept
    check(not list((folder / "failed").iterdir()), "nothing is left behind")
    line = [sys.executable, "-m", "bristle.mujoco", "path", "--output", str(folder / "built")]
    check(subprocess.run(line, capture_output=True, text=True).stdout.strip() == str(path), "path")
    bristle.mujoco.load(folder / "built")
    bristle.mujoco.load(folder / "built")


# ---- wrong use ----

def wrong_config():
    good = dict(model="lugre", sigma0=1e4, sigma1=20, sigma2=0, fc=1, fs=1.5, vs=0.01)
    single = lambda **change: models.single(1e-3, {k: v for k, v in {**good, **change}.items() if v is not None})
    single()
    single(sigma0="10 N*m/mrad", vs="10 mrad/s")
    m = models.single(1e-3, dict(model="gms", k="1e4 2e4 3e4", alpha="0.2, 0.3, 0.5", c=100, sigma2=0, fc=1, fs=1.5, vs=0.01))
    check(m.npluginstate > 3, "vectors of parameters", m.npluginstate)
    refused("no parameter", ["'lugre' needs the parameter 'sigma1'", "N*m*s/rad", "config key"], lambda: single(sigma1=None))
    refused("no law", ["no law", "key=\"model\""], lambda: single(model=None))
    refused("unknown law", ["there is no law 'luger'", "did you mean 'lugre'"], lambda: single(model="luger"))
    refused("foreign parameter", ["dv"], lambda: single(dv=1))
    refused("unknown key", ["sigma7"], lambda: single(sigma7=1))
    refused("NaN", ["sigma0", "nan"], lambda: single(sigma0="nan"))
    refused("text", ["fc", "found 'much'", "expected a torque"], lambda: single(fc="much"))
    refused("a linear unit on a hinge", ["N/m"], lambda: single(sigma0="1 N/mm"))
    refused("a rule", ["fs"], lambda: single(fs=0.5))
    refused("unknown joint", ["there is no joint 'elbow'"], lambda: single(joint="elbow"))
    refused("twice", ["listed twice"], lambda: single(joint="j j"))
    refused("no file", ["absent.yaml"], lambda: single(model="absent.yaml"))
    refused("no load", ["normal_load"], lambda: single(load="coefficient", sigma2=0))
    refused("a negative load", ["normal_load"], lambda: single(load="coefficient", normal_load="-1"))
    refused("two instances", ["two instances"], lambda: models.arm(1e-3, dict(good, joint="j1"), one_each=True))
    ball = (f'{models.extension(good)}<worldbody><body><joint name="b" type="ball"/><geom size="0.1"/>{models.plugin(good)}'
            "</body></worldbody>")
    refused("a ball joint", ["'b' is a ball joint"], lambda: models.compiled(ball))


def wrong_options():
    law = mujoco_table.lugre(1e4, 20)
    for name in ("RK4", "implicit", "discrete"):
        refused(name, ["integrator", "use implicitfast or Euler"], lambda name=name: models.single(1e-3, law, name))
    m = models.single(1e-3, law)
    d = mujoco.MjData(m)
    m.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    refused("RK4 later", ["RK4"], lambda: mujoco.mj_step(m, d))
    m = models.single(1e-3, law)
    d = mujoco.MjData(m)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER
    refused("no passive forces", ["spring and damper"], lambda: mujoco.mj_step(m, d))
    m = models.single(1e-3, law)
    d = mujoco.MjData(m)
    mujoco.mj_step1(m, d)
    d.qfrc_applied[0] = 1
    refused("a late force", ["between mj_step1 and mj_step2", "add an actuator"], lambda: mujoco.mj_step2(m, d))
    m = models.single(1e-3, law)
    m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    refused("sleep", ["flag sleep", "disable it"], lambda: mujoco.mj_step(m, mujoco.MjData(m)))
    m = models.single(1e-3, law)
    d = mujoco.MjData(m)
    mujoco.set_mjcb_control(lambda m, d: None)
    refused("a late callback", ["mjcb_control"], lambda: mujoco.mj_step(m, d))
    mujoco.set_mjcb_control(None)
    d = mujoco.MjData(m)
    d.qfrc_applied[0] = np.nan
    mujoco.mj_step(m, d, 3)
    check(np.all(np.isfinite(d.qpos)) and d.warning[mujoco.mjtWarning.mjWARN_BADQACC].number > 0, "NaN: the engine resets")


# ---- state: saved, restored, copied, reset, in threads ----

def started(m, seconds=0.3):
    d = mujoco.MjData(m)
    d.qvel[:] = np.linspace(1, -1, m.nv)
    if m.nu:
        d.ctrl[:] = np.linspace(0.3, -0.3, m.nu)
    mujoco.mj_step(m, d, round(seconds / m.opt.timestep))
    return d


def same(a, b):
    return np.array_equal(a.qpos, b.qpos) and np.array_equal(a.qvel, b.qvel) and np.array_equal(a.plugin_state, b.plugin_state)


def identity(m, name):
    start = started(m)
    check(np.any(start.plugin_state != 0), name, "the state is in plugin_state")
    plain, copied, forwarded, halves = (mujoco.MjData(m) for _ in range(4))
    state = state_of(m, start, FULL)
    for d in (plain, forwarded, halves):
        mujoco.mj_setState(m, d, state, FULL)
    mujoco.mj_copyData(copied, m, start)
    mujoco.mj_forward(m, copied)
    again = mujoco.MjData(m)
    mujoco.mj_copyData(again, m, copied)
    for _ in range(200):
        mujoco.mj_step(m, start)
        mujoco.mj_step(m, plain)
        mujoco.mj_step(m, copied)
        mujoco.mj_step(m, again)
        mujoco.mj_forward(m, forwarded)
        mujoco.mj_forward(m, forwarded)
        mujoco.mj_step(m, forwarded)
        mujoco.mj_step1(m, halves)
        mujoco.mj_step2(m, halves)
    for other, what in ((plain, "restored"), (copied, "copied"), (again, "copied after forward"),
                        (forwarded, "with mj_forward"), (halves, "in two halves")):
        check(same(start, other), name, what, "goes on the same", np.abs(start.qpos - other.qpos).max())
    looked = mujoco.MjData(m)
    mujoco.mj_setState(m, looked, state_of(m, start, FULL), FULL)
    for _ in range(50):  # inverse dynamics between steps: as without
        mujoco.mj_forward(m, looked)
        mujoco.mj_inverse(m, looked)
        mujoco.mj_step(m, looked)
        mujoco.mj_step(m, start)
    check(same(start, looked), name, "with mj_inverse goes on the same", np.abs(start.qpos - looked.qpos).max())
    mujoco.mj_resetData(m, start)
    check(not np.any(start.plugin_state), name, "reset")
    mujoco.mjd_transitionFD(m, start, 1e-6, True, np.zeros((2 * m.nv + m.na, 2 * m.nv + m.na)), None, None, None)


def state_of(m, d, kind):
    state = np.zeros(mujoco.mj_stateSize(m, kind))
    mujoco.mj_getState(m, d, state, kind)
    return state


def threads(m, name):
    physics = mujoco.mjtState.mjSTATE_FULLPHYSICS
    starts = [started(m, 0.02 * (k + 1)) for k in range(8)]
    rows = np.array([state_of(m, d, FULL) for d in starts])
    bare = np.array([state_of(m, d, physics) for d in starts])
    control = np.tile(starts[0].ctrl, (8, 100, 1)) if m.nu else None
    for d in starts:
        mujoco.mj_step(m, d, 100)
    ends, one = np.array([state_of(m, d, FULL) for d in starts]), None
    for count in (1, 2, 4):
        got, _ = rollout.rollout(m, [mujoco.MjData(m) for _ in range(count)], bare, control, nstep=100)
        one = got if one is None else one
        check(np.array_equal(got, one), name, "rollout on", count, "threads")
    off = np.abs(one[:, -1] - [state_of(m, d, physics) for d in starts]).max()
    check(off < 1e-9 if name == "arm on the floor" else off == 0, name, "rollout is the loop", off)  # no warm start there
    many = batch.Batch(m, 8, nthread=4)
    many.state[:] = rows
    many.step(nstep=100)
    off = np.abs(np.array(many.state) - ends).max()
    check(off == 0, name, "mjbatch is the loop", off)


# ---- steps in Python are the plugin's ----

def python_steps(name, seconds=0.3, **options):
    law = bristle.lugre(**{k: v for k, v in SLIPPING.items() if k != "model"})
    m, bare = models.arm(2e-3, SLIPPING, **options), models.arm(2e-3, **options)
    one, two = started(m, 0), started(bare, 0)
    frictions = bristle.mujoco.Frictions(bare, {f"j{i}": law for i in range(6)})
    off = 0.0
    for _ in range(round(seconds / 2e-3)):
        mujoco.mj_step(m, one)
        bristle.mujoco.step(bare, two, frictions)
        off = max(off, np.abs(one.qpos - two.qpos).max())
    check(off < 1e-9, name, "steps in Python are those of the plugin", off)
    check(np.abs(one.plugin_state - frictions.state).max() < 1e-9, name, "and their states")
    check(not np.any(two.qfrc_applied), name, "applied forces are as before")


def python_wrong():
    m = models.arm(1e-3)
    law = bristle.coulomb(fc=1, sigma2=0)
    refused("unknown joint", ["there is no joint 'k1'", "did you mean"], lambda: bristle.mujoco.Frictions(m, {"k1": law}))
    refused("no law", ["expected a law"], lambda: bristle.mujoco.Frictions(m, {"j1": 3}))
    refused("none", ["no friction"], lambda: bristle.mujoco.Frictions(m, {}))
    frictions = bristle.mujoco.Frictions(m, {"j1": law})
    refused("no object", ["Frictions"], lambda: bristle.mujoco.step(m, mujoco.MjData(m), {"j1": law}))
    m.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    refused("RK4", ["RK4", "implicitfast"], lambda: bristle.mujoco.step(m, mujoco.MjData(m), frictions))


def instances_are_one_network():
    one, many = (models.arm(2e-3, models.ARM_LUGRE, one_each=each) for each in (False, True))
    a, b = mujoco.MjData(one), mujoco.MjData(many)
    mujoco.mj_step(one, a, 500)
    mujoco.mj_step(many, b, 500)
    check(same(a, b), "six instances are one network", np.abs(a.qpos - b.qpos).max())


def keyframes():
    """a keyframe holds no states of plugins: contacts begin anew there, and go on as from a fresh start"""
    m = models.arm(1e-3, SLIPPING)
    spec_q = np.linspace(0.1, 0.3, m.nv)
    text = models.arm_text(1e-3, SLIPPING).replace("</worldbody>", f'</worldbody><keyframe><key qpos="{" ".join(map(str, spec_q))}"/></keyframe>')
    m = models.compiled(text)
    moved, fresh = started(m), mujoco.MjData(m)
    mujoco.mj_resetDataKeyframe(m, moved, 0)
    fresh.qpos[:] = spec_q
    check(not np.any(moved.plugin_state), "a keyframe begins anew")
    mujoco.mj_step(m, moved, 100)
    mujoco.mj_step(m, fresh, 100)
    check(same(moved, fresh), "a keyframe is a fresh start", np.abs(moved.qpos - fresh.qpos).max())


def files_with_skews():
    """a model file whose directions differ, beside the same values as attributes"""
    path = folder / "skewed.yaml"
    path.write_text("bristle: 1\nmodel: lugre\nparameters: {sigma0: 1e4 N*m/rad, sigma1: 50 N*m*s/rad, sigma2: 0.1 N*m*s/rad, fc: 2 N*m, fs: 3 N*m, "
                    "vs: 0.01 rad/s, level_skew: 0.3, viscous_skew: -0.5}\n")
    file, given = models.arm(1e-3, dict(model=path)), models.arm(1e-3, dict(mujoco_worlds.LUGRE, level_skew=0.3, viscous_skew=-0.5))
    plain = models.arm(1e-3, mujoco_worlds.LUGRE)
    a, b, c = started(file), started(given), started(plain)
    check(same(a, b), "skews from a file and from attributes are the same")
    check(not np.allclose(a.qpos, c.qpos, atol=1e-3), "skews do something", a.qpos, c.qpos)
    refused("a skew too large", ["level_skew"], lambda: models.arm(1e-3, dict(mujoco_worlds.LUGRE, level_skew=2)))


def engines_without_plugins():
    """MJX leaves plugins out without a word: a model that has one is refused, with the joints that it names"""
    refused("an arm for MJX", ["MJX", "j0, j1, j2, j3, j4, j5"], lambda: bristle.mujoco.check(models.arm(1e-3, SLIPPING)))
    refused("a hinge for MJX", ["friction of j without a word", "export"], lambda: bristle.mujoco.check(models.single(1e-3, models.ARM_LUGRE)))
    refused("each link its own", ["j0, j1, j2, j3, j4, j5"], lambda: bristle.mujoco.check(models.arm(1e-3, SLIPPING, one_each=True)))
    check(bristle.mujoco.check(models.arm(1e-3)) is None, "a model without plugins is for every engine")


def every_law():
    for name in bristle.tables.law_names():
        law = bristle.law(name)
        law.save(folder / "law.yaml")
        m = models.single(1e-3, dict(model=folder / "law.yaml", normal_load=1), kind="slide", inertia=1)
        d = mujoco.MjData(m)
        for _ in range(400):
            d.qfrc_applied[0] = 5 * np.sin(20 * d.time)
            mujoco.mj_step(m, d)
        check(np.all(np.isfinite(d.qpos)) and 0 < np.abs(d.qpos).max() < 1, name, "moves", d.qpos)


def example():
    run = subprocess.run([sys.executable, str(root / "examples/mujoco/arm.py"), str(folder / "built")],
                         capture_output=True, text=True)
    check(run.returncode == 0 and "holds: drift" in run.stdout, "the example", run.stdout[-300:], run.stderr[-500:])


def guide():
    """The programs of docs/mujoco.md, with the plugin that was built here."""
    sys.path.insert(0, str(root / "site" / "make"))
    from blocks import blocks_of

    known, here = {"bristle": bristle, "root": root}, os.getcwd()
    programs = [block for block in blocks_of(root / "docs/mujoco.md", "docs/mujoco.md") if block.language == "python"]
    check(len(programs) == 2, "docs/mujoco.md has", len(programs), "programs")
    for block in programs:
        text = block.notes["given"] + "\n" + block.text.replace("load()", f"load({str(folder / 'built')!r})")
        try:
            exec(compile(text, block.place, "exec"), known)
        except Exception as error:
            check(False, block.place, error)
    check(known["data"].time > 0, "the guide's step does not step")
    os.chdir(here)


def main():
    folder.mkdir(parents=True)
    os.chdir(folder)  # MuJoCo writes its log where it runs
    mujoco.set_mju_user_warning(lambda text: None)
    building()
    wrong_config()
    wrong_options()
    for name, m in (("bare arm", models.arm(1e-3, SLIPPING)), ("servo arm", models.arm(1e-3, SLIPPING, actuators=SERVO)),
                    ("arm on the floor", models.arm(1e-3, SLIPPING, contact=True))):
        identity(m, name)
        threads(m, name)
    for integrator in ("implicitfast", "Euler"):
        python_steps(f"bare, {integrator}", integrator=integrator)
        python_steps(f"damped, {integrator}", integrator=integrator, joint='damping="0.3" armature="0.01"')
        python_steps(f"on the floor, {integrator}", 0.05, integrator=integrator, contact=True)
    python_steps("servos", actuators=SERVO, joint='damping="0.3"')
    python_steps("limits", joint='range="-5 5"')
    python_wrong()
    instances_are_one_network()
    keyframes()
    files_with_skews()
    engines_without_plugins()
    every_law()
    example()
    guide()
    for rows in (mujoco_worlds.rows(), mujoco_table.rows()):
        for text, checks in rows:
            print(text, flush=True)
            for holds in checks:
                check(holds, text)
    print(f"{counts[True]} passed, {counts[False]} failed, 0 skipped")
    return counts[False] != 0


sys.exit(main())
