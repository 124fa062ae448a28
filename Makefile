# The front door. CMake does the work underneath; whatever is missing is installed, or named.
#
#   make            build/bristle and the libraries
#   make run        record a machine axis, identify its friction, check the model on held-out data; and the gallery
#                   LOG=my.csv identifies your own log instead; VALIDATE=other.csv, OPTIONS="--position q --force 'i*0.12 Nm/A'"
#   make test       every test; ALL=1 installs and demands everything; ROWS="unit golden" runs only these
#   make check-long   the tests that take hours: two hundred synthetic axes of each of five laws, fitted; fifty made-up robots; the same with
#                   rounded positions and late forces, through the tool; a hundred logs of each kind of trouble; every law on every rig, six parameter sets;
#                   arms that hold and random networks, at full length; a fleet of 2,000 logs and a sweep of a million
#                   runs, killed and gone on with; random calls of the Python package under the sanitizers; packages of
#                   Debian and Conan, a release; the two commands on bare Debian 12 and 13; golden bits for more compilers
#   make bench      measure beside peers
#   make bench-mujoco   an arm that holds and is pushed, beside MuJoCo's own joint friction (installs it below build/)
#   make cuda       libbristle-cuda for NVIDIA GPUs, below build/cuda (nvcc from PyPI where there is none)
#   make bench-cuda contact-steps a second on the GPU
#   make playground one page, build/playground/index.html: every law with sliders, and identification in the browser
#   make amalgamation   one bristle.c and bristle.h below build/amalgamation; LAWS="coulomb dahl lugre" chooses laws, FLOAT32=1 leaves
#                   double precision out; and packages of them for Arduino, PlatformIO, Zephyr and ESP-IDF
#   make python     the Python package, in an environment of its own: build/venv
#   make bench-python   what the Python package costs beside C
#   make bench-plugin   what friction of a 6-joint arm costs in MuJoCo: the plugin beside the plain step (installs MuJoCo)
#   make bench-sysid    identification of a servo beside mujoco.sysid (installs it; needs measured logs, BRISTLE_DATA)
#   make site       the site: guides, the encyclopedia of laws, references; build/site/html/index.html (installs Sphinx below build/)
#   make screens    pictures of what people see first, to be looked at: build/screens/*.png (chromium)
#   make fuzz       libFuzzer on the readers of files and on logs that are identified, FUZZ_SECONDS (600) for each, and a million calls of each of 18 FMUs; FUZZ="csv fmu" for some
#   make fuzz-cli   random argument lists on small files with the sanitizers, FUZZ_SECONDS (600)
#   make generate   write params.h, docs/laws.md, the README picture and tests/golden/bits.txt anew from the laws
#   make golden     write only tests/golden/bits.txt anew; a changed line is a changed law
#   make format     format the C sources
#   make release    VERSION=0.2.0: commit, tag, source archive, Linux and Windows archives, wheel, sdist, recipes, checksums in build/release;
#                   DRY=1 makes them and leaves the repository as it is
#   make install    into PREFIX (default /usr/local); DESTDIR works
#   make clean
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
WERROR ?= $(if $(ALL),ON,OFF)
export BUILD JOBS ALL ROWS DRY
# ccache, where it is there: the same source in another folder is the same
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1
export CCACHE_COMPILERCHECK ?= content

.PHONY: screens amalgamation benches playground python site bench-python bench-sysid all tool configure run test check-long bench bench-mujoco bench-plugin bench-cuda cuda fuzz fuzz-cli generate golden format release install clean
.DELETE_ON_ERROR:

all: configure
	@cmake --build $(BUILD) -j $(JOBS)

tool: configure
	@cmake --build $(BUILD) -j $(JOBS) --target bristle_tool

configure:
	@scripts/need.sh $(if $(ALL),all,$(if $(filter test,$(MAKECMDGOALS)),test,base))
	@cmake -S . -B $(BUILD) -G Ninja -DBRISTLE_WERROR=$(WERROR) $(if $(ALL),-DBRISTLE_VECTOR_F32=ON) >/dev/null

run: tool
	@scripts/run.sh

test: all $(if $(ALL),benches)
	@scripts/test.sh

check-long: all
	@for variant in gcc-v3 gcc-v4 clang-v1 clang-v4; do scripts/golden.sh $$variant || [ $$? = 78 ] || exit 1; done
	@BRISTLE_LONG=1 scripts/test-bare.sh bookworm
	@BRISTLE_LONG=1 scripts/test-bare.sh trixie
	@BRISTLE_LONG=1 $(BUILD)/tests truth
	@ALL=1 BRISTLE_LONG=1 $(BUILD)/tests network/
	@scripts/study-truth.py --count 200 --jobs $(JOBS)
	@scripts/study-kinds.py --count 100 --jobs $(JOBS)
	@scripts/study-robots.py --count 50 --jobs $(JOBS)
	@BRISTLE_LONG=1 $(BUILD)/tests fleet_survives
	@RUNS=1000000 CHUNK=10000 scripts/test-sweep.sh million
	@BRISTLE_LONG=1 $(BUILD)/tests every_law_runs
	@ALL=1 BRISTLE_LONG=1 $(BUILD)/tests driven_laws_are_right
	@BRISTLE_LONG=1 $(BUILD)/tests coupled_step_takes
	@BRISTLE_LONG=1 $(BUILD)/tests native_solver_agrees
	@BRISTLE_LONG=1 $(BUILD)/tests every_vector_law
	@scripts/python.sh sanitized $(BUILD)/test/python-sanitize
	@ROWS="wine-unit deb conan release" scripts/test.sh

benches: configure
	@cmake --build $(BUILD) -j $(JOBS) --target benches

bench: all benches
	@$(BUILD)/bench
	@if [ -x $(BUILD)/bench-avx2 ] && grep -qw avx2 /proc/cpuinfo; then echo; $(BUILD)/bench-avx2 avx2; fi
	@echo; $(BUILD)/bench-threads
	@echo; $(BUILD)/bench-coupled
	@echo; $(BUILD)/bench-planar
	@if [ -x $(BUILD)/bench-solver ]; then echo; $(BUILD)/bench-solver; fi
	@echo; $(BUILD)/bench-chain
	@echo; $(BUILD)/bench-network
	@echo; if python3 -c 'import scipy' 2>/dev/null; then python3 bench/identify_scipy.py $(BUILD)/bench-identify; \
	else echo "identification beside SciPy: python3-scipy is not there"; fi
	@echo; scripts/need.sh peers || true
	@python=$(BUILD)/peers/bin/python; [ -x $$python ] || python=python3; \
	if $$python -c 'import numpy' 2>/dev/null; then $$python bench/page.py $(BUILD); else echo "bench.html: python3-numpy is not there"; fi

cuda:
	@scripts/cuda.sh build

bench-cuda: cuda
	@$(BUILD)/cuda/cuda-bench

bench-mujoco: tool
	@scripts/need.sh mujoco
	@$(BUILD)/mujoco/bin/python bench/mujoco_arm.py $(BUILD)/bristle
bench-plugin:
	@scripts/python.sh install >/dev/null
	@scripts/need.sh mujoco $(BUILD)/venv
	@$(BUILD)/venv/bin/python bench/mujoco_plugin.py

playground: tool
	@scripts/need.sh playground
	@scripts/playground.sh

amalgamation: tool
	@scripts/amalgamation.sh "$(LAWS)" $(if $(FLOAT32),--float32)

python:
	@scripts/need.sh python
	@scripts/python.sh install

site: configure
	@scripts/site.sh build

screens: tool
	@scripts/screens.sh

bench-python: python
	@$(BUILD)/venv/bin/python bench/python_speed.py

bench-sysid: python
	@$(BUILD)/venv/bin/pip install --quiet --disable-pip-version-check "mujoco[sysid]>=4.0"
	@$(BUILD)/venv/bin/python bench/mujoco_sysid.py

fuzz: all
	@scripts/fuzz.sh $(FUZZ)

fuzz-cli: configure
	@cmake -S . -B $(BUILD)/sanitize -G Ninja --preset sanitize >/dev/null
	@cmake --build $(BUILD)/sanitize -j $(JOBS) --target bristle_tool
	@scripts/fuzz-cli.py $(BUILD)/sanitize/bristle --seconds $(or $(FUZZ_SECONDS),600) --jobs $(JOBS)

generate: all
	@scripts/generate.sh write
	@scripts/golden.sh write

golden:
	@scripts/golden.sh write

format:
	@scripts/need.sh format
	@scripts/format.sh write

release:
	@scripts/release.sh "$(VERSION)"

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD) build-python
