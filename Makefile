# The front door. CMake does the work underneath; whatever is missing is installed, or named.
#
#   make            build/bristle and the libraries
#   make run        the first example, stick-slip on a LuGre contact, and the tool's page about that law
#   make test       every test; ALL=1 installs and demands everything; ROWS="unit golden" runs only these
#   make bench      measure beside peers
#   make fuzz       libFuzzer on the readers of files, FUZZ_SECONDS (600) for each; FUZZ="csv units" for some
#   make generate   write params.h, the README table and tests/golden/bits.txt anew from the laws
#   make golden     write only tests/golden/bits.txt anew; a changed line is a changed law
#   make format     format the C sources
#   make install    into PREFIX (default /usr/local); DESTDIR works
#   make clean
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
export BUILD JOBS ALL ROWS

.PHONY: all run test bench fuzz generate format install clean
.DELETE_ON_ERROR:

all:
	@scripts/need.sh base
	@cmake -S . -B $(BUILD) -G Ninja -DBRISTLE_WERROR=$(if $(ALL),ON,OFF) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

run: all
	@echo "A 1 kg block on a LuGre contact, pulled by a spring at 0.1 m/s (examples/first.c):"
	@$(BUILD)/first | tee $(BUILD)/first.txt
	@echo; $(BUILD)/bristle show lugre; echo; $(BUILD)/bristle models
	@echo "The run is in $(BUILD)/first.txt; the tool is $(BUILD)/bristle."

test: all
	@$(if $(ALL),scripts/need.sh all)
	@scripts/test.sh

bench: all
	@$(BUILD)/bench
	@if [ -x $(BUILD)/bench-avx2 ] && grep -qw avx2 /proc/cpuinfo; then echo; $(BUILD)/bench-avx2 avx2; fi
	@echo; $(BUILD)/bench-planar
	@if [ -x $(BUILD)/bench-solver ]; then echo; $(BUILD)/bench-solver; fi

fuzz: all
	@scripts/fuzz.sh $(FUZZ)

generate: all
	@scripts/generate.sh write
	@scripts/golden.sh write

format:
	@scripts/need.sh format
	@scripts/format.sh write

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)
