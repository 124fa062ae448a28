#!/usr/bin/env python3
"""Layers point one way: what src/ and include/ include is what the block `layers` of ARCHITECTURE.md allows.

A line "sim: core text" says that files of src/sim may include those of src/core, and the headers of include/bristle
that belong to it (HEADERS). A layer lists only layers above it in the block, so that there is no way back. A line
"fit/records: signals" is a room of a layer: it may include what its layer may, and the rooms that it names.

scripts/test-layers.py [ROOT]     exit 1 and a line for each breach, or 0
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')
# the layer of each public header that is not called like its layer
HEADERS = {
    'bristle': 'core', 'params': 'core', 'roles': 'core', 'network': 'core', 'vector': 'core', 'api': 'core', 'units': 'core',
    'scenario': 'io', 'digest': 'io', 'joint_file': 'io',
    'identify': 'fit', 'decay': 'fit', 'loads': 'fit', 'loops': 'fit', 'plan': 'fit', 'rig': 'fit', 'trajectory': 'fit',
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


def layer_of_header(name, layers):
    layer = HEADERS.get(name, name)
    return layer if layer in layers else None


def room_of(path, layers):
    house, room = path.split('/')[0], '/'.join(path.split('/')[:2])
    rooms = [name for name in layers if name.startswith(house + '/')]
    return room if room in layers or (rooms and path.count('/') > 1) else house


def layer_of(path, layers):
    place = path.relative_to(ROOT).as_posix()
    if place.startswith('include/'):
        return layer_of_header(path.stem, layers)
    return FILES.get(place, room_of(place.split('/', 1)[1], layers))


def main():
    layers, breaches, seen = read_layers(), [], 0
    if not layers:
        print('ARCHITECTURE.md has no block ```layers')
        return 1
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
            name = pathlib.PurePath(include).stem
            public = include.startswith('bristle/')
            other = layer_of_header(name, layers) if public else room_of(include, layers)
            seen += 1
            if other != layer and other not in layers[layer]:
                breaches.append(f'{path.relative_to(ROOT)}: {layer} includes {include}, of {other}')
    print('\n'.join([*breaches, f'{len(breaches)} breaches in {seen} includes of {len(layers)} layers']))
    return len(breaches) > 0 or seen < 100


sys.exit(main())
