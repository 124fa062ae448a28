#!/usr/bin/env python3
"""No law's and no parameter's name stands in src/ outside the law files: what a number is comes from its role. Nor does
a flag of the command line: the library names options. In cli/, bridge/ and python/ help and examples may name them, but
nothing is looked up by its name there either: no string is a name and nothing else. Nobody adds up what snprintf returns.

Names come from the lists and tables of the laws. Comments may name them; strings and identifiers may not. Words that
are names and ordinary words of other things too are listed below; even they are not looked up by name.

scripts/test-names.py [ROOT]     exit 1 and a line for each place, or 0
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')
SOURCES = {'.c', '.h', '.cc', '.cpp', '.cu'}
# the law files: the laws themselves, the pieces they share, and the reduced planar model's compilation of them
LAW_FILES = ('src/models/', 'src/vector/', 'src/planar/laws/', 'src/core/pieces.h')

# Names that are also ordinary words, of other things than laws and parameters.
ORDINARY_LAWS = {
    'power',     # of a number, of a signal, and work per time
    'gear',      # the part of a machine
    'tanh',      # the function
    'stribeck',  # the curve, which many laws have
}
ORDINARY_PARAMETERS = {
    'alpha',    # an angular acceleration; a strategy parameter of the step rules
    'a1', 'a2', 'f1',  # coefficients of filters, the frequencies of a chirp
    'delta', 'dv', 'v0', 'v1', 'h0',  # differences, starts and ends of steps; a class of headings
    'excess', 'form', 'limit', 'offset', 'order', 'pull', 'roll', 'turning',  # plain English
}
# Above the library, files whose subject are laws by name.
ABOVE = ('cli/', 'bridge/', 'python/')
NAMED = (
    'cli/gallery/', 'cli/piatkowski/',  # figures of papers, each of one law with its numbers
    'cli/joint/fields.c', 'bridge/import/',  # lists of other tools become the laws that they mean
    'python/tests/', 'python/examples/',
)


def strip_comments(text):
    """Comments become blanks, so that places stay; strings stay."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
    return pattern.sub(lambda m: m.group(0) if m.group(0)[0] in '"\'' else re.sub(r'[^\n]', ' ', m.group(0)), text)


def names():
    laws, parameters = set(), set()
    for path in ROOT.glob('src/*/*.def'):
        laws |= set(re.findall(r'^BRISTLE_(?:VECTOR_)?LAW\((\w+)', path.read_text(), re.M))
    for path in [*ROOT.glob('src/models/*'), *ROOT.glob('src/vector/*')]:
        table = re.findall(r'^\s*[PV]\((\w+),.*\b(?:LOG|LINEAR|OPTION)\b', path.read_text(), re.M)
        parameters |= {name for name in table if len(name) > 1}
    return laws, parameters


def breaches(path, laws, parameters):
    part = re.compile(r'(?:^|_)(' + '|'.join(sorted(laws - ORDINARY_LAWS, key=len, reverse=True)) + r')(?:_|$)')
    forbidden = parameters - ORDINARY_PARAMETERS
    text = strip_comments(path.read_text())
    text = re.sub(r'^[ \t]*#[ \t]*include[^\n]*', '', text, flags=re.M)
    for number, line in enumerate(text.split('\n'), 1):
        for word in re.findall(r'[A-Za-z_]\w*', re.sub(r'%[0-9.*]*[a-z]+|\\x[0-9a-f]+|\\.', ' ', line)):
            law = part.search(word)
            if law or word in forbidden:
                yield number, law.group(1) if law else word
        if re.search(r'bristle_(param|law|vector_law)_find\([^;]*"', line):
            yield number, 'a law or a parameter is looked up by its name'
        if re.search(r'"[^"]*(?<![-\w])--[a-z%]', line.replace('style=\\"--a', '')):
            yield number, 'a flag of the command line: sentences name options ("option rate"), the tool its flags'


def unguarded(path):
    """snprintf tells what it would have written: a sum of that runs past the end."""
    for number, line in enumerate(strip_comments(path.read_text()).split('\n'), 1):
        if re.search(r'\+= *(\(\w+\) *)?v?snprintf', line):
            yield number, 'a sum of what snprintf returns: text_append (src/io/support.h) stops at the end'


def lookups(path, laws, parameters):
    """Strings that are a name and nothing else. In Python laws are arguments; parameters are not looked up."""
    python = path.suffix == '.py'
    forbidden = parameters - ORDINARY_PARAMETERS | (set() if python else laws - ORDINARY_LAWS)
    text = path.read_text() if python else strip_comments(path.read_text())
    for number, line in enumerate(text.split('\n'), 1):
        for pair in re.findall(r'"(\w+)"|\'(\w+)\'', re.sub(r'`[^`]*`', '', line)):
            if set(pair) & forbidden:
                yield number, f'{pair[0] or pair[1]}, looked up by its name: what a number is comes from its role'


def main():
    laws, parameters = names()
    if len(laws) < 30 or len(parameters) < 30:
        print(f'found only {len(laws)} laws and {len(parameters)} parameters: the tables are read wrongly')
        return 1
    count = 0
    for path in sorted(ROOT.glob('src/**/*')):
        place = path.relative_to(ROOT).as_posix()
        if path.suffix not in SOURCES or place.startswith(LAW_FILES):
            continue
        for line, name in breaches(path, laws, parameters):
            print(f'{place}:{line}: {name}')
            count += 1
    for path in sorted(path for top in ('src/', *ABOVE) for path in ROOT.glob(top + '**/*') if path.suffix in SOURCES):
        for line, what in unguarded(path):
            print(f'{path.relative_to(ROOT).as_posix()}:{line}: {what}')
            count += 1
    for top in ABOVE:
        for path in sorted(ROOT.glob(top + '**/*')):
            place = path.relative_to(ROOT).as_posix()
            if path.suffix not in SOURCES | {'.py'} or place.startswith(NAMED):
                continue
            for line, name in lookups(path, laws, parameters):
                print(f'{place}:{line}: {name}')
                count += 1
    print(f'{count} names of laws and parameters outside their files ({len(laws)} laws, {len(parameters)} parameters)')
    return count > 0


sys.exit(main())
