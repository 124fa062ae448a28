#!/usr/bin/env python3
"""Made-up robots: are the numbers and the deviations of `bristle robot identify` right?

Random trees of 2 to 12 joints (branches, slides, a payload that the file does not have) follow sums of sines; their
torques come from the library's inverse dynamics, with rotors, friction of several laws, friction that grows with the load,
noise of torque and encoder. With --servos they follow commands instead, all joints
coupled, and the log has no torque. Each number of a joint that is called determined counts: how often the truth is within two
deviations (coverage), and how far levels are off. `silent` counts levels that are wrong by more than a tenth and four
deviations without a word.

scripts/study-robots.py [--servos] [--count 50] [--seed 1] [--jobs 2] [--build build] [--keep FOLDER]
Ends with "N passed, M failed, 0 skipped": coverage 90 to 98 %, median error of levels below 3 %, nothing silent.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from robots import Arm, Robot, build_library, open_library, vector  # noqa: E402

RATE, SECONDS, SECONDS_OF_SERVOS = 200, 30, 15


def tree(draw, count, payload):
    """URDF, and the same with a payload at the last link."""
    links, joints = [], []
    for k in range(count + 1):
        r = [draw.uniform(0.005, 0.03) for _ in range(3)]
        mass = draw.uniform(0.5, 3)
        links.append((mass, vector(draw, 0.15), r))
    for k in range(1, count + 1):
        kind = 'prismatic' if draw.random() < 0.15 else 'revolute'
        parent = draw.randrange(k) if draw.random() < 0.2 else k - 1
        axis = draw.choice(['1 0 0', '0 1 0', '0 0 1', vector(draw, 1)])
        joints.append(f"<joint name='j{k}' type='{kind}'><parent link='l{parent}'/><child link='l{k}'/>"
                      f"<origin xyz='{vector(draw, 0.3)}' rpy='{vector(draw, 1.5)}'/><axis xyz='{axis}'/></joint>")
    out = []
    for extra in (0, payload):
        text = ["<robot name='made'>"]
        for k, (mass, at, r) in enumerate(links):
            m = mass + (extra if k == count else 0)
            text.append(f"<link name='l{k}'><inertial><origin xyz='{at}'/><mass value='{m}'/><inertia ixx='{r[1] + r[2]}' "
                        f"iyy='{r[0] + r[2]}' izz='{r[0] + r[1]}' ixy='0' ixz='0' iyz='0'/></inertial></link>")
        out.append(''.join(text + joints) + '</robot>')
    return out


def motion(draw, count):
    """For each joint amplitudes, frequencies and phases of three sines."""
    return [[(draw.uniform(0.15, 0.6), draw.uniform(0.05, 0.5), draw.uniform(0, 6.28)) for _ in range(3)] for _ in range(count)]


def at(sines, t):
    q = v = a = 0
    for size, frequency, phase in sines:
        w = 6.283185307 * frequency
        q += size * math.sin(w * t + phase)
        v += size * w * math.cos(w * t + phase)
        a -= size * w * w * math.sin(w * t + phase)
    return q, v, a


def friction_of(draw, weight):
    """A law with its numbers: levels are a part of what the joint carries."""
    fc = weight * draw.uniform(0.1, 0.5)
    law = draw.choice(['coulomb', 'coulomb', 'power', 'stribeck'])
    f = {'law': law, 'fc': fc, 'load_friction': draw.choice([0, draw.uniform(0.04, 0.15)])}
    if law == 'power':
        f |= {'b': fc * draw.uniform(0.4, 1.2), 'n': draw.uniform(0.4, 0.7)}
    else:
        f |= {'sigma2': fc * draw.uniform(0.2, 0.8)}
    if law == 'stribeck':
        f |= {'fs': fc * draw.uniform(1.3, 1.8), 'vs': draw.uniform(0.1, 0.3)}
    return f


def force(f, v, rigid):
    speed, level = abs(v), f['fc'] + f['load_friction'] * abs(rigid)
    if f['law'] == 'power':
        level += f['b'] * speed ** f['n']
    else:
        level += f['sigma2'] * speed
    if f['law'] == 'stribeck':
        level += (f['fs'] - f['fc']) * math.exp(-(speed / f['vs']) ** 2)
    return math.copysign(level, v) if v else 0


def make(folder, seed, lab):
    draw = random.Random(seed)
    count = draw.randint(2, 12)
    plain, loaded = tree(draw, count, draw.choice([0, draw.uniform(0.5, 3)]))
    (folder / 'robot.urdf').write_text(plain)
    (folder / 'truth.urdf').write_text(loaded)
    robot = Robot(lab, folder / 'truth.urdf')
    order = [int(name[1:]) for name in robot.names()]
    sines = motion(draw, count)
    states = [list(zip(*(at(s, i / RATE) for s in sines))) for i in range(RATE * SECONDS)]
    torques = [robot.call('bristle_bodies_torques', count, *state) for state in states]
    rotor = [draw.uniform(0, 0.3) for _ in range(count)]
    weight = [max(0.05, statistics.pstdev(x) + abs(statistics.mean(x))) for x in zip(*torques)]
    friction = [friction_of(draw, w) for w in weight]
    noise = [w * draw.uniform(0.005, 0.05) for w in weight]
    quantum = draw.choice([1e-6, 1e-5, 1e-4])
    lines = ['time_s,' + ','.join(f'j{k}_position' for k in order) + ',' + ','.join(f'j{k}_torque' for k in order)]
    for i, ((q, v, a), torque) in enumerate(zip(states, torques)):
        total = []
        for k in range(count):
            rigid = torque[k] + rotor[k] * a[k]
            total.append(rigid + force(friction[k], v[k], rigid) + draw.gauss(0, noise[k]))
        lines.append(f'{i / RATE:.4f},' + ','.join(f'{quantum * round(x / quantum):.7g}' for x in q) + ','
                     + ','.join(f'{x:.6g}' for x in total))
    (folder / 'log.csv').write_text('\n'.join(lines) + '\n')
    return {f'j{k}': friction[i] for i, k in enumerate(order)}


def make_servos(folder, seed, lab):
    """The same robots with servos: commands and encoders, no torque. Half of them with gains that the log must show."""
    draw = random.Random(seed)
    count = draw.randint(2, 6)
    plain, _ = tree(draw, count, 0)
    (folder / 'robot.urdf').write_text(plain)
    robot = Robot(lab, folder / 'robot.urdf')
    order = [int(name[1:]) for name in robot.names()]
    mass = robot.call('bristle_bodies_mass', count * count, [0] * count)
    inertia = [mass[k * count + k] for k in range(count)]
    gain = [i * draw.uniform(150, 600) for i in inertia]
    damping = [0.5 * math.sqrt(g * i) for g, i in zip(gain, inertia)]
    friction = [{'fc': g * draw.uniform(0.005, 0.03), 'sigma2': d * draw.uniform(0.1, 0.6)} for g, d in zip(gain, damping)]
    armature, delay = [i * draw.uniform(0.1, 0.8) for i in inertia], [draw.uniform(0.002, 0.012) for _ in inertia]
    sines = [[(draw.uniform(0.1, 0.3), draw.uniform(0.1, 0.4), draw.uniform(0, 6.28)),
              (draw.uniform(0.05, 0.12), draw.uniform(0.5, 1.0), draw.uniform(0, 6.28)),
              (draw.uniform(0.02, 0.05), draw.uniform(1.5, 3.0), draw.uniform(0, 6.28))] for _ in inertia]
    arm = Arm(robot, friction, armature, gain, damping, delay)
    rows = arm.run(lambda k, t: at(sines[k], t)[0], SECONDS_OF_SERVOS)
    quantum = 2 * math.pi / draw.choice([4096, 16384, 65536])
    lines = ['time_s,' + ','.join(f'j{k}_position' for k in order) + ',' + ','.join(f'j{k}_target' for k in order)]
    for t, q, aims in rows:
        lines.append(f'{t:.4f},' + ','.join(f'{quantum * round((x + draw.gauss(0, quantum / 3)) / quantum):.7g}' for x in q) + ','
                     + ','.join(f'{x:.6g}' for x in aims))
    (folder / 'log.csv').write_text('\n'.join(lines) + '\n')
    given = []
    for i, k in enumerate(order):
        given += ['--gain', f'j{k}={gain[i]}', '--damping', f'j{k}={damping[i]}'] if seed % 2 else ['--damping', f'j{k}={damping[i]}']
    return {f'j{k}': friction[i] | {'law': 'coulomb', 'armature': armature[i], 'delay': delay[i], 'gain': gain[i]}
            for i, k in enumerate(order)}, given


def one(seed, options):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary) / f'{seed}'
        folder.mkdir(exist_ok=True, parents=True)
        lab, given = open_library(options.library), []
        if options.servos:
            truth, given = make_servos(folder, seed, lab)
        else:
            truth = make(folder, seed, lab)
        run = subprocess.run([options.build / 'bristle', 'robot', 'identify', folder / 'robot.urdf', folder / 'log.csv', '--json', '--trust',
                              '--threads', '1', *given], capture_output=True, text=True)
    if run.returncode:
        return {'seed': seed, 'failed': run.stderr.strip()}
    found = {'seed': seed, 'joints': len(truth), 'inside': 0, 'numbers': 0, 'level': [], 'silent': [], 'laws': 0, 'near': []}
    for joint in json.loads(run.stdout)['joints']:
        true, numbers = truth[joint['name']], joint['numbers']
        found['laws'] += joint['law'] == true['law']
        if joint['grade'] == 'do not use':
            continue
        for name, number in numbers.items():
            if number['deviation'] is None or number['reason'] or name == 'offset' and joint['law'] is None:
                continue
            if joint['law'] != true['law'] and name != 'load_friction':
                continue  # the numbers of another law have no truth
            expected = 0 if name in ('offset', 'zero') else true.get(name)
            if expected is None:
                continue
            error = abs(number['value'] - expected)
            found['numbers'] += 1
            found['inside'] += error <= 2 * number['deviation']
            found['near'].append((round(error / max(number['deviation'], 1e-12), 1), joint['name'], name))
            if name == 'fc':
                found['level'].append(error / expected)
                if error > 0.1 * expected and error > 4 * number['deviation']:
                    found['silent'].append(joint['name'])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=50)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--build', default='build', type=pathlib.Path)
    parser.add_argument('--servos', action='store_true', help='commands and encoders instead of torques')
    parser.add_argument('--keep')
    options = parser.parse_args()
    options.library = build_library(options.build)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        runs = list(pool.map(one, range(options.seed, options.seed + options.count), [options] * options.count))
    failed = [r for r in runs if 'failed' in r]
    for r in failed:
        print(f"robot {r['seed']}: {r['failed']}")
    runs = [r for r in runs if 'failed' not in r]
    for r in runs:
        for far, joint, name in sorted(r['near'], reverse=True)[:1]:
            if far > 4:
                print(f"robot {r['seed']}, {joint}: {name} is off by {far} deviations")
    joints, numbers = sum(r['joints'] for r in runs), sum(r['numbers'] for r in runs)
    coverage = sum(r['inside'] for r in runs) / max(numbers, 1)
    levels = sorted(x for r in runs for x in r['level'])
    silent = [f"{r['seed']}:{j}" for r in runs for j in r['silent']]
    median, most = (statistics.median(levels), levels[len(levels) * 95 // 100]) if levels else (1, 1)
    print(f'{len(runs)} robots, {joints} joints, {numbers} numbers: {100 * coverage:.1f} % within two deviations; '
          f'the law is found in {100 * sum(r["laws"] for r in runs) / max(joints, 1):.0f} %')
    print(f'levels of {len(levels)} joints: off by {100 * median:.2f} % (median), {100 * most:.1f} % (95 %); silent: {silent}')
    checks = [not failed, 0.9 <= coverage <= 0.98, median < 0.03, not silent]
    print(f'{sum(checks)} passed, {len(checks) - sum(checks)} failed, 0 skipped')
    return 0 if all(checks) else 1


if __name__ == '__main__':
    sys.exit(main())
