"""Reads the descriptions of the packages as their tools would: packages.py build/amalgamation VERSION"""
import json
import pathlib
import sys

import yaml

root, version = pathlib.Path(sys.argv[1]), sys.argv[2]


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f'{what}: {got!r}, expected {wanted!r}')


properties = dict(line.split('=', 1) for line in (root / 'arduino/library.properties').read_text().splitlines())
for key in ['name', 'version', 'author', 'maintainer', 'sentence', 'paragraph', 'category', 'architectures']:
    if not properties.get(key):
        sys.exit(f'library.properties has no {key}')
expect('library.properties: version', properties['version'], version)
for header in properties['includes'].split(','):
    expect(header, (root / 'arduino/src' / header).is_file(), True)

library = json.loads((root / 'platformio/library.json').read_text())
expect('library.json: version', library['version'], version)
expect('library.json: headers', (root / 'platformio/src' / library['headers']).is_file(), True)
for example in library['examples']:
    for file in example['files']:
        expect(f'library.json: {file}', (root / 'platformio' / example['base'] / file).is_file(), True)

component = yaml.safe_load((root / 'esp-idf/idf_component.yml').read_text())
expect('idf_component.yml: version', component['version'], version)
expect('idf_component.yml: idf', component['dependencies']['idf'], '>=4.4')

module = yaml.safe_load((root / 'zephyr/zephyr/module.yml').read_text())
expect('module.yml: cmake', (root / 'zephyr' / module['build']['cmake'] / 'CMakeLists.txt').is_file(), True)
expect('module.yml: kconfig', (root / 'zephyr' / module['build']['kconfig']).is_file(), True)

for path in root.rglob('*'):
    if path.is_file() and '@' in path.read_text() and '@VERSION@' in path.read_text():
        sys.exit(f'{path}: the version is missing')
