#!/usr/bin/env python3
"""Layers point one way: what src/ and include/ include is what the block `layers` of ARCHITECTURE.md allows.

A line "sim: core text" says that files of src/sim may include those of src/core, and the headers of include/bristle
and of src/lab that belong to it (HEADERS). A layer lists only layers above it in the block, so that there is no way back. A line
"fit/records: signals" is a room of a layer: it may include what its layer may, and the rooms that it names.

A block "way of ..., at most N" is a list of files, callers first: each is there, is called by one before it (by a name that
it defines, or through a list .def), and stands in the layer of the one before or in a lower one.

scripts/test-layers.py [ROOT]     exit 1 and a line for each breach, or 0
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')
# the layer of each header that is not called like its layer
HEADERS = {
    'bristle': 'core', 'params': 'core', 'network': 'core', 'vector': 'core', 'api': 'core', 'units': 'core',
    'scenario': 'io', 'digest': 'io', 'joint_file': 'io', 'bristle/identify': 'study',
    'identify': 'fit', 'log': 'fit', 'decay': 'fit', 'loads': 'fit', 'loops': 'fit', 'plan': 'fit', 'rig': 'fit', 'trajectory': 'fit',
}
FILES = {'src/io/text.c': 'text'}  # hosted, but below the rest of its folder


def read_layers():
    block = re.search(r'^```layers\n(.*?)^```', (ROOT / 'ARCHITECTURE.md').read_text(), re.S | re.M)
    layers = {}
    for line in block.group(1).splitlines() if block else []:
        name, _, below = line.partition(':')
        house, _, room = name.strip().partition('/')
        rooms = [house, *layers.get(house, []), *(f'{house}/{other}' for other in below.split())]
        layers[name.strip()] = rooms if room else below.split()
    return layers


def layer_of_header(path, layers):
    """A header of users, bristle/sim.h, or one that layers show each other, lab/sim.h."""
    name = pathlib.PurePath(path).stem
    layer = HEADERS.get(path.removesuffix('.h'), HEADERS.get(name, name))
    return layer if layer in layers else None


def room_of(path, layers):
    house, room = path.split('/')[0], '/'.join(path.split('/')[:2])
    rooms = [name for name in layers if name.startswith(house + '/')]
    return room if room in layers or (rooms and path.count('/') > 1) else house


def layer_of(path, layers):
    place = path.relative_to(ROOT).as_posix()
    if place.startswith(('include/', 'src/lab/')):
        return layer_of_header(place.split('/', 1)[1], layers)
    return FILES.get(place, room_of(place.split('/', 1)[1], layers))


def called_by(path):
    """The functions and tables that a file names, and the files that stand for members of its lists."""
    text = path.read_text()
    called = set(re.findall(r'\w+', text))
    for name in re.findall(r'"([^"]+\.def)"', text):
        for folder in (ROOT / 'src', path.parent):
            if (folder / name).exists():
                members = re.findall(r'^[A-Z_]+\((\w+)', (folder / name).read_text(), re.M)
                called |= {member + '.c' for member in members}
    return called


def names_in(path):
    """What a file defines for others: functions, tables, or itself as a member of a list."""
    text = path.read_text()
    functions = re.findall(r'^(?!static|typedef)[a-z][\w *]*?\b(\w+)\([^;{]*\)\s*\{', text, re.M)
    tables = re.findall(r'^(?:extern )?const [\w ]*?\b(\w+)(?:\[\])? = \{', text, re.M)
    return {*functions, *tables, path.name}


def check_ways(layers):
    breaches, ways = [], 0
    order = [*layers, 'cli']
    for title, most, block in re.findall(r'^```(way .*?), at most (\d+)\n(.*?)^```', (ROOT / 'ARCHITECTURE.md').read_text(),
                                         re.S | re.M):
        ways += 1
        places = [line.split()[0] for line in block.splitlines()]
        if len(places) > int(most):
            breaches.append(f'ARCHITECTURE.md: the {title} has {len(places)} files')
        known, last = set(), len(order)
        for place in places:
            path = ROOT / place
            if not path.exists():
                breaches.append(f'ARCHITECTURE.md: the {title} names {place}, which is not there')
                continue
            if known and not names_in(path) & known:
                breaches.append(f'ARCHITECTURE.md: the {title}: nothing before {place} calls it')
            layer = order.index('cli' if place.startswith('cli/') else layer_of(path, layers))
            if layer > last:
                breaches.append(f'ARCHITECTURE.md: the {title} goes back to {order[layer]} with {place}')
            known, last = known | called_by(path), layer
    return breaches if ways >= 2 else [*breaches, 'ARCHITECTURE.md has no two blocks ```way']


def main():
    layers, breaches, seen = read_layers(), [], 0
    if not layers:
        print('ARCHITECTURE.md has no block ```layers')
        return 1
    breaches += check_ways(layers)
    order = list(layers)
    for name, below in layers.items():
        breaches += [f'ARCHITECTURE.md: {name} stands on {b}, which is not above it'
                     for b in below if b not in order[:order.index(name)]]
    for path in sorted([*ROOT.glob('src/**/*'), *ROOT.glob('bridge/mujoco/*'), *ROOT.glob('include/bristle/*.h')]):
        if path.suffix not in {'.c', '.h', '.cc', '.cpp', '.cu', '.def'}:
            continue
        layer = layer_of(path, layers)
        if layer not in layers:
            breaches.append(f'{path.relative_to(ROOT)}: no layer of ARCHITECTURE.md')
            continue
        for include in re.findall(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+/[^"]+)"', path.read_text(), re.M):
            shown = include.startswith(('bristle/', 'lab/'))
            other = layer_of_header(include, layers) if shown else room_of(include, layers)
            seen += 1
            if other != layer and other not in layers[layer]:
                breaches.append(f'{path.relative_to(ROOT)}: {layer} includes {include}, of {other}')
    print('\n'.join([*breaches, f'{len(breaches)} breaches in {seen} includes of {len(layers)} layers']))
    return len(breaches) > 0 or seen < 100


sys.exit(main())
