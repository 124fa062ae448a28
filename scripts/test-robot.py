#!/usr/bin/env python3
"""Robots: torques, mass matrices and rows of base parameters of made-up URDF robots against pinocchio, MJCF ones against
MuJoCo, all to 1e-10 of the largest number; `bristle robot` on the arm of examples/robot, whose friction is known, and on
what goes wrong with logs.

scripts/test-robot.py [BUILD]     prints a line for each check, and "N passed, 0 failed, 0 skipped"

Where pinocchio or MuJoCo is not installed, its part is skipped with one line; scripts/need.sh robot BUILD/robot installs both.
"""
import pathlib
import json
import math
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from robots import Arm, Robot, build_library, open_library, vector  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / 'build')
TOOL = BUILD / 'bristle'
counts = {'ok': 0, 'FAIL': 0, 'SKIP': 0}


def say(word, text):
    counts[word] += 1
    print(word, text)


def urdf(seed, count):
    """A tree with branches, slides and joints that are fixed."""
    draw = random.Random(seed)
    text = ["<robot name='made'>"]
    for k in range(count + 1):
        r = [draw.uniform(0.01, 0.05) for _ in range(3)]
        text.append(f"<link name='l{k}'><inertial><origin xyz='{vector(draw, 0.2)}' rpy='{vector(draw, 2)}'/>"
                    f"<mass value='{draw.uniform(0.3, 4):.9g}'/><inertia ixx='{r[1] + r[2]:.9g}' iyy='{r[0] + r[2]:.9g}' "
                    f"izz='{r[0] + r[1]:.9g}' ixy='{draw.uniform(-.003, .003):.9g}' ixz='{draw.uniform(-.003, .003):.9g}' "
                    f"iyz='{draw.uniform(-.003, .003):.9g}'/></inertial></link>")
    for k in range(1, count + 1):
        kind = draw.choice(['revolute', 'revolute', 'prismatic', 'fixed'])
        parent = draw.randrange(k) if draw.random() < 0.3 else k - 1
        text.append(f"<joint name='j{k}' type='{kind}'><parent link='l{parent}'/><child link='l{k}'/>"
                    f"<origin xyz='{vector(draw, 0.4)}' rpy='{vector(draw, 3)}'/><axis xyz='{vector(draw, 1)}'/>"
                    "<limit lower='-9' upper='9' velocity='9' effort='9'/></joint>")
    return ''.join(text) + '</robot>'


def mjcf(seed, count):
    """Bodies in bodies with every way to write a direction, two joints in some of them, classes of defaults."""
    draw = random.Random(seed)
    text = ["<mujoco model='made'><compiler angle='degree' eulerseq='zYx'/><option gravity='0.3 -1 -9.7'/><default>"
            "<default class='tilted'><joint axis='0.3 1 0.2'/></default></default><worldbody>"]
    ends = 0
    for k in range(count):
        turn = draw.choice([f"quat='{vector(draw, 1)} 0.4'", f"euler='{vector(draw, 170)}'", f"zaxis='{vector(draw, 1)}'",
                            f"axisangle='{vector(draw, 1)} 50'", f"xyaxes='{vector(draw, 1)} {vector(draw, 1)}'"])
        text.append(f"<body pos='{vector(draw, 0.3)}' {turn} childclass='tilted'>")
        ends += 1
        for i in range(draw.choice([1, 1, 2])):
            kind, axis = draw.choice(['hinge', 'hinge', 'slide']), draw.choice(['', f"axis='{vector(draw, 1)}'"])
            text.append(f"<joint name='j{k}_{i}' type='{kind}' {axis} pos='{vector(draw, 0.1)}'/>")
        text.append(f"<inertial pos='{vector(draw, 0.2)}' euler='{vector(draw, 90)}' mass='{draw.uniform(0.3, 4):.9g}' "
                    "diaginertia='0.02 0.03 0.025'/>")
        if draw.random() < 0.4:
            text.append('</body>')
            ends -= 1
    return ''.join(text) + '</body>' * ends + '</worldbody></mujoco>'


def compare(name, pairs):
    worst = 0
    for ours, theirs in pairs:
        size = max(1e-3, max(abs(x) for x in theirs))
        worst = max(worst, max(abs(x - y) for x, y in zip(ours, theirs, strict=True)) / size)
    say('ok' if worst < 1e-10 else 'FAIL', f'{name}: {worst:.1e} of the largest')


def states(draw, count):
    return [[draw.uniform(-size, size) for _ in range(count)] for size in (2, 3, 10)]


def check_pinocchio(lab, folder):
    try:
        import numpy
        import pinocchio
    except ImportError:
        return say('SKIP', 'install the package pin of PyPI (pinocchio)')
    for seed in range(1, 8):
        path = folder / f'{seed}.urdf'
        path.write_text(urdf(seed, 2 + 2 * seed))
        robot, model = Robot(lab, path), pinocchio.buildModelFromUrdf(str(path))
        data, n, draw, pairs = model.createData(), robot.count, random.Random(seed), []
        if n != model.nv:
            say('FAIL', f'{path.name}: {n} joints, pinocchio has {model.nv}')
            continue
        # the order of siblings may differ: by name, through the masses they move
        order = [robot.names().index(model.names[k + 1]) for k in range(n)]
        for _ in range(5):
            q, v, a = (numpy.array(x) for x in states(draw, n))
            place = lambda x: [x[order.index(k)] for k in range(n)]
            ours = [place(x) for x in (q, v, a)]
            torque = robot.call('bristle_bodies_torques', n, *ours)
            mass = robot.call('bristle_bodies_mass', n * n, ours[0])
            rows = robot.call('bristle_bodies_rows', 10 * n * n, *ours)
            pairs.append(([torque[k] for k in order], list(pinocchio.rnea(model, data, q, v, a))))
            whole = pinocchio.crba(model, data, q)
            whole = numpy.triu(whole) + numpy.triu(whole, 1).T
            pairs.append(([mass[i * n + j] for i in order for j in order], list(whole.flatten())))
            theirs = pinocchio.computeJointTorqueRegressor(model, data, q, v, a)
            # pinocchio's numbers of a body: m, m c, xx xy yy xz yz zz about its origin, as ours
            pairs.append(([rows[i * 10 * n + 10 * j + c] for i in order for j in order for c in range(10)],
                          list(theirs.flatten())))
        compare(f'{n} joints of URDF and pinocchio', pairs)


def check_mujoco(lab, folder):
    try:
        import mujoco
        import numpy
    except ImportError:
        return say('SKIP', 'install the package mujoco of PyPI')
    paths = []
    for seed in range(1, 8):
        paths.append(folder / f'{seed}.xml')
        paths[-1].write_text(mjcf(seed, 2 + seed))
    paths += sorted((ROOT / 'shared' / 'data').glob('*/*.xml')) + sorted((ROOT.parent / 'shared' / 'data').glob('*/*.xml'))
    for path in paths:
        robot, model = Robot(lab, path), mujoco.MjModel.from_xml_path(str(path))
        model.dof_armature[:], model.dof_damping[:], model.dof_frictionloss[:] = 0, 0, 0
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        data, n, draw, pairs = mujoco.MjData(model), robot.count, random.Random(1), []
        if n != model.nv:
            say('FAIL', f'{path.name}: {n} joints, MuJoCo has {model.nv}')
            continue
        for _ in range(5):
            q, v, a = states(draw, n)
            data.qpos[:], data.qvel[:] = q, v
            mujoco.mj_forward(model, data)
            data.qacc[:] = a
            mujoco.mj_inverse(model, data)
            whole = numpy.zeros((n, n))
            mujoco.mj_fullM(model, data, whole) if mujoco.__version__ >= '4' else mujoco.mj_fullM(model, whole, data.qM)
            pairs.append((robot.call('bristle_bodies_torques', n, q, v, a), list(data.qfrc_inverse)))
            pairs.append((robot.call('bristle_bodies_mass', n * n, q), list(whole.flatten())))
        compare(f'{path.name}: {n} joints of MJCF and MuJoCo', pairs)


ARM = ROOT / 'examples' / 'robot' / 'arm.urdf'
RECORD, CHECK = ARM.with_name('record.csv'), ARM.with_name('check.csv')
# what the arm was made with: level, viscous, load friction
TRUTH = {'turntable': (5, 4, 0), 'shoulder': (6, 5, 0.06), 'elbow': (2.5, 1.5, 0.05)}


def tool(*arguments):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True)


def expect(name, code, words, *arguments):
    run = tool(*arguments)
    said = ' '.join((run.stdout + run.stderr).split())
    fine = run.returncode == code and words in said
    say('ok' if fine else 'FAIL', name if fine else f'{name}: exit code {run.returncode}, expected {code} and "{words}" in: {said[-400:]}')


def check_page(page, sentence):
    """Its first card, and what a browser says: light, dark, 390 px wide."""
    first = page.read_text().split('class="headline">')[1].split('<')[0]
    say('ok' if first == sentence else 'FAIL', f'the page begins with: {first}')
    if not (shutil.which('node') and shutil.which('chromium') and (ROOT / 'node_modules' / 'playwright-core').exists()):
        return say('SKIP', 'install nodejs and chromium, and npm ci')
    run = subprocess.run(['node', ROOT / 'tests' / 'report' / 'plain.mjs', page], capture_output=True, text=True)
    say('FAIL' if run.returncode else 'ok', 'the page in a browser' + run.stdout)


def check_arm(folder):
    model, page = folder / 'arm.yaml', folder / 'arm.html'
    run = tool('robot', 'identify', ARM, RECORD, '--validate', CHECK, '--json', '-o', model, '--report', page)
    if run.returncode:
        return say('FAIL', run.stderr)
    for joint in json.loads(run.stdout)['joints']:
        numbers, (level, viscous, load) = joint['numbers'], TRUTH[joint['name']]
        near = [abs(numbers[name]['value'] - true) < 3 * numbers[name]['deviation'] for name, true in
                (('fc', level), ('sigma2', viscous), ('load_friction', load)) if true]
        fine = all(near) and abs(numbers['fc']['value'] / level - 1) < 0.03 and ('load_friction' in numbers) == (load > 0)
        fine = fine and joint['grade'] == 'good' and joint['check'] < 0.2
        say('ok' if fine else 'FAIL', f"{joint['name']}: {numbers}")
    say('ok' if '<svg' in page.read_text() and 'turntable' in page.read_text() else 'FAIL', 'page')
    check_page(page, 'The friction of 3 of 3 joints is known.')
    expect('a joint alone is no scenario', 3, f'friction: {{file: {model}#elbow}}', 'simulate', f'{model}#elbow')
    expect('a robot alone is no scenario', 3, 'name a joint behind #', 'simulate', model)
    expect('a joint is a model', 0, 'level that grows by 0.04902 of the load', 'export', f'{model}#elbow', '--to', 'json', '-o', folder / 'elbow.json')
    expect('no joint is named', 3, 'name a joint behind #', 'loop', model)
    expect('no such joint', 3, "there is no joint 'wrist'", 'loop', f'{model}#wrist')


def altered(folder, name, change):
    """The record with its rows changed: change(header, rows of texts)."""
    head, *rows = [line.split(',') for line in RECORD.read_text().split()]
    change(head, rows)
    path = folder / f'{name}.csv'
    path.write_text('\n'.join(','.join(row) for row in [head, *rows]) + '\n')
    return path


def check_trouble(folder):
    def identify(name, code, words, change=None, *more):
        log = altered(folder, name, change) if change else RECORD
        expect(name, code, words, 'robot', 'identify', ARM, log, *more)

    def rename(old, new):
        return lambda head, rows: head.__setitem__(head.index(old), new)

    def column(name, function):
        def change(head, rows):
            k = head.index(name)
            for i, row in enumerate(rows):
                row[k] = function(i, row[k])
        return change

    def degrees(head, rows):
        column('shoulder_rad', lambda i, x: f'{57.2957795 * float(x):.4f}')(head, rows)
        rename('shoulder_rad', 'shoulder')(head, rows)

    def back(head, rows):
        for row in rows[600:]:
            row[0] = f'{float(row[0]) - 5:.2f}'

    def turned(*names):
        def change(head, rows):
            for name in names:
                column(name, lambda i, x: f'{-float(x)}')(head, rows)
        return change

    identify('a joint is missing', 3, 'found no position of the joint elbow', rename('elbow_rad', 'voltage_V'))
    identify('names of another robot', 3, 'found no position of the joints shoulder, elbow',
             lambda head, rows: (rename('elbow_rad', 'ellbogen_rad')(head, rows), rename('shoulder_rad', 'schulter_rad')(head, rows)))
    identify('joints by hand', 0, 'elbow (ellbogen, elbow_torque)', rename('elbow_rad', 'ellbogen_rad'), '--joint', 'elbow=ellbogen')
    identify('no torque', 3, 'joint elbow: found no torque', rename('elbow_torque_Nm', 'elbow_temperature'))
    identify('currents', 3, 'option gain'.replace('option ', '--'), rename('elbow_torque_Nm', 'elbow_current_A'))
    identify('degrees', 3, 'joint shoulder: ', degrees)
    identify('degrees with a unit', 0, 'shoulder', lambda head, rows: (degrees(head, rows), rename('shoulder', 'shoulder_deg')(head, rows)))
    identify('another unit', 3, "joint elbow: the column 'elbow' has the unit 'kg'", rename('elbow_rad', 'elbow [kg]'))
    identify('a clock that goes back', 3, 'the time goes back', back)
    identify('empty cells', 0, "5 cells of 'elbow', joint elbow are no numbers", column('elbow_rad', lambda i, x: '' if 500 <= i < 505 else x))
    identify('torque against the motion', 4, 'joint elbow is not to be used: Friction would drive the joint', turned('elbow_torque_Nm'))
    identify('an axis the other way round', 4, 'Joint elbow seems to be counted backwards', turned('elbow_rad', 'elbow_torque_Nm'))
    identify('the other way round, told', 0, 'elbow (-elbow', turned('elbow_rad', 'elbow_torque_Nm'), '--joint', 'elbow=-elbow')
    identify('another zero', 4, 'The zero of joint shoulder', column('shoulder_rad', lambda i, x: f'{float(x) + 1.5708:.5f}'))
    identify('joints that changed places', 4, 'seem to have changed places', None, '--joint', 'elbow=shoulder', '--joint', 'shoulder=elbow')
    identify('a joint that stands still', 4, 'joint elbow is not to be used: The joint hardly moves', column('elbow_rad', lambda i, x: '0.5'))
    identify('held, but it moves', 3, 'joint elbow is said to stand still', None, '--hold', 'elbow')
    identify('one way', 4, 'moves one way only', column('turntable_rad', lambda i, x: f'{i * 0.001 + 0.0001 * (i % 7):.5f}'))
    identify('too short', 3, 'found no stretch', lambda head, rows: rows.__delitem__(slice(120, None)) or
             [row.__setitem__(0, f'{float(row[0]) * (1 + (i > 60)):.2f}') for i, row in enumerate(rows)])
    identify('another column by hand', 3, '--joint elbow=ellbogen: the log has no such position', None, '--joint', 'elbow=ellbogen')
    identify('a column for two joints', 3, "'shoulder' is the position of the joints shoulder and elbow", None, '--joint', 'elbow=shoulder')
    identify('a joint told twice', 2, 'is given twice', None, '--joint', 'elbow=elbow', '--joint', 'elbow=-elbow')
    identify('a gain told twice', 2, 'is given twice', None, '--gain', 'elbow=2', '--gain', 'elbow=3')
    identify('all gains told twice', 2, 'is given twice', None, '--gain', '2', '--gain', '3')
    identify('a gain of nothing', 2, 'expected another value than zero', None, '--gain', '0')
    identify('one gain for all, another for one', 0, 'elbow', None, '--gain', '1', '--gain', 'elbow=2')
    identify('a second position', 0, "joint elbow: 'elbow' is used, 'elbow_position' is not",
             lambda head, rows: (head.append('elbow_position'), [row.append('0') for row in rows]))
    identify('degrees that are called rad', 3, 'which are no rad',
             lambda head, rows: (degrees(head, rows), rename('shoulder', 'shoulder_rad')(head, rows)))
    identify('a position of no machine', 3, "'elbow' is 1e+30 in row 500", column('elbow_rad', lambda i, x: '1e30' if i == 499 else x))
    identify('a torque of no machine', 3, "'elbow_torque' is -1e+20 in row 7", column('elbow_torque_Nm', lambda i, x: '-1e20' if i == 6 else x))
    identify('one log twice', 3, 'this is the same data as', None, RECORD)
    identify('a copy as well', 3, 'this is the same data as', lambda head, rows: None, RECORD)
    identify('its own validation', 3, 'validate with another record', None, '--validate', RECORD)
    identify('no such joint', 2, 'there is no such joint', None, '--hold', 'wrist')
    expect('no log', 2, 'no log file given', 'robot', 'identify', ARM)
    expect('no action', 2, 'bristle robot identify', 'robot', ARM, RECORD)
    expect('no file', 5, 'nothing.urdf', 'robot', 'identify', folder / 'nothing.urdf', RECORD)
    expect('another file', 3, 'there is no XML in it', 'robot', 'identify', RECORD, RECORD)
    expect('the robot as output', 5, 'it is not overwritten', 'robot', 'identify', ARM, RECORD, '-o', ARM)


def check_servos(lab, folder):
    """The example's arm with servos, all joints coupled: what it was made with is found, with gains given and not."""
    robot = Robot(lab, ARM)
    friction = [{'fc': level, 'sigma2': viscous} for level, viscous in ((1.5, 1), (2, 2), (0.8, 0.5))]
    gain, damping, armature, delay = [200, 400, 150], [20, 40, 8], [0.2, 0.3, 0.1], [0.006] * 3
    aim = lambda k, t: 0.4 * math.sin((0.5 + 0.3 * k) * t + k) + 0.1 * math.sin((4 + k) * t) + 0.05 * math.sin((11 + 2 * k) * t)
    lines = ['t,' + ','.join(f'{name}_rad,{name}_target_rad' for name in robot.names())]
    draw = random.Random(1)
    for t, q, aims in Arm(robot, friction, armature, gain, damping, delay).run(aim, 12, step=1e-3, every=5):
        lines.append(f'{t:.3f},' + ','.join(f'{x + draw.gauss(0, 1e-4):.5f},{y:.5f}' for x, y in zip(q, aims)))
    log = folder / 'servos.csv'
    log.write_text('\n'.join(lines) + '\n')
    servos = ['--damping', 'turntable=20', '--damping', 'shoulder=40', '--damping', 'elbow=8']
    gains = ['--gain', 'turntable=200', '--gain', 'shoulder=400', '--gain', 'elbow=150']
    for given in (gains, gains[:2]):
        run = tool('robot', 'identify', ARM, log, '--json', '-o', folder / 'servos.yaml', '--report', folder / 'servos.html', *servos, *given)
        if run.returncode:
            say('FAIL', run.stderr)
            continue
        for k, joint in enumerate(json.loads(run.stdout)['joints']):
            numbers = joint['numbers']
            truth = {'fc': friction[k]['fc'], 'armature': armature[k], 'delay': delay[k], 'gain': gain[k]}
            far = {name: f'{numbers[name]["value"]:.4g} for {true}' for name, true in truth.items()
                   if not numbers[name]['reason'] and abs(numbers[name]['value'] - true) > max(0.03 * true, 3 * (numbers[name]['deviation'] or 0))}
            say('FAIL' if far or joint['rms'] > 5e-4 or numbers['fc']['reason'] else 'ok',
                f"servo of {joint['name']}: rms {joint['rms']:.1e}, far: {far}")
    expect('no weight, no gain', 0, 'no weight on this axis shows it', 'robot', 'identify', ARM, log, *servos)
    head, *rows = log.read_text().splitlines()
    lost = folder / 'lost.csv'
    lost.write_text('\n'.join([head.replace('elbow_target_rad', 'elbow_voltage'), *rows]) + '\n')
    expect('a target is missing', 3, 'joint elbow: found no target', 'robot', 'identify', ARM, lost, *gains)
    expect('targets the other way round', 4, 'joint elbow is not to be used: The position goes against its target', 'robot', 'identify', ARM,
           turn(log, folder / 'turned.csv', 'elbow_target_rad'), *servos, *gains)


def turn(log, path, name):
    head, *rows = [line.split(',') for line in log.read_text().splitlines()]
    for row in rows:
        row[head.index(name)] = f'{-float(row[head.index(name)])}'
    path.write_text('\n'.join(','.join(row) for row in [head, *rows]) + '\n')
    return path


def main():
    lab = open_library(build_library(BUILD))
    with tempfile.TemporaryDirectory() as folder:
        check_pinocchio(lab, pathlib.Path(folder))
        check_mujoco(lab, pathlib.Path(folder))
        check_arm(pathlib.Path(folder))
        check_trouble(pathlib.Path(folder))
        check_servos(lab, pathlib.Path(folder))
    print('{ok} passed, {FAIL} failed, {SKIP} skipped'.format(**counts))
    return 1 if counts['FAIL'] else 0


if __name__ == '__main__':
    sys.exit(main())
