# Sourced by test-export.sh: the exported C files of all laws on emulated Cortex-M3, M4F, M7 and M33, compiled by gcc and
# clang with -Os and -O2. Prints code size, stack and instructions for each step; docs/export.md holds that table, and
# EXPORT_TABLE=write puts it there anew.

for command in arm-none-eabi-gcc:gcc-arm-none-eabi qemu-system-arm:qemu-system-arm clang-19:clang-19; do
  command -v "${command%:*}" >/dev/null || { echo "SKIP install ${command#*:}"; exit 77; }
done
[ -e "$(arm-none-eabi-gcc -print-file-name=rdimon.specs)" ] || { echo "SKIP install libnewlib-arm-none-eabi"; exit 77; }

headers=$(dirname "$(arm-none-eabi-gcc -print-file-name=include)")/../../../arm-none-eabi/include
[ -e "$headers/string.h" ] || headers=/usr/include/newlib
flags_M3="-mcpu=cortex-m3 -mthumb -mfloat-abi=soft" board_M3=mps2-an385
flags_M4F="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16" board_M4F=mps2-an386
flags_M7="-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16" board_M7=mps2-an500
flags_M33="-mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16" board_M33=mps2-an505

compile() { # gcc or clang, core flags, level, folder, file, object
  case $1 in
  gcc) arm-none-eabi-gcc $strict $2 "$3" -fstack-usage -c "$5" -o "$6" ;;
  clang) clang-19 --target=arm-none-eabi -fshort-enums -isystem "$headers" $strict $2 "$3" -c "$5" -o "$6" ;;
  esac
}
link_board() { # core, core flags, folder
  sed "$([ "$1" = M33 ] && echo 's/ORIGIN = 0,/ORIGIN = 0x10000000,/; s/0x20000000/0x38000000/')" \
    tests/embedded/mps2.ld >"$3/board.ld"
  arm-none-eabi-gcc $2 -O1 -DREAL="$real" -I"$3" -I"$work/$source" -c tests/bridge/cores.c -o "$3/cores.o" &&
    arm-none-eabi-gcc $2 -O1 -c tests/embedded/start.c -o "$3/start.o" &&
    arm-none-eabi-gcc $2 --specs=rdimon.specs -T "$3/board.ld" "$3"/*.o -o "$3/cores.elf"
}
run_board() { # core, folder: the emulator's clock has one nanosecond for each instruction
  local board=board_$1
  timeout 120 qemu-system-arm -M "${!board}" -nographic -semihosting-config enable=on,target=native \
    -icount shift=0 -kernel "$2/cores.elf" </dev/null >"$2/said"
}
list_laws() { # folder
  for law in $laws; do echo "LAW(c_$law)"; done >"$1/laws.def"
  for law in $laws; do printf '#include "c_%s.h"\nint c_%s_test(void);\n' "$law" "$law"; done >"$1/laws.h"
}
on_core() { # compiler, core, level: every law in one program
  local folder=$work/$source.$1.$2$3 flags=flags_$2 law
  mkdir -p "$folder" && list_laws "$folder"
  for law in $laws; do
    for part in "$law" "${law}_test"; do
      compile "$1" "${!flags}" "$3" "$folder" "$work/$source/c_$part.c" "$folder/$part.o" || return 1
    done
  done
  link_board "$2" "${!flags}" "$folder" && run_board "$2" "$folder" || { cat "$folder/said"; return 1; }
}

# ---- the table: single precision, gcc -O2 ----

row() { # law
  local law=$1 core folder ticks
  printf '| `%s` |' "$law"
  for core in M3 M4F M7 M33; do
    folder=$work/f32.gcc.$core-O2
    ticks=40 # instructions for each tick of a 25 MHz clock, one instruction being a nanosecond; the board of the M33 has 20 MHz
    [ $core = M33 ] && ticks=50
    arm-none-eabi-size "$folder/$law.o" | awk 'NR == 2 {printf " %d B,", $1}'
    awk '{sum += $2} END {printf " %d B,", sum}' "$folder/$law.su" # all functions inside each other: never more
    awk -v law="c_$law" -v ticks=$ticks '$1 == law {printf " %.0f / %.0f |", $3 * ticks / 64, $4 * ticks / 64}' "$folder/said"
  done
  echo
}
table() {
  echo '| law | Cortex-M3 | Cortex-M4F | Cortex-M7 | Cortex-M33 |'
  echo '|---|---|---|---|---|'
  for law in $laws; do row "$law"; done
}
table_stays() {
  table >"$work/table"
  if [ "${EXPORT_TABLE:-}" = write ]; then
    awk -v table="$work/table" '/<!-- cores:begin -->/ {print; while ((getline line < table) > 0) print line; skip = 1}
      /<!-- cores:end -->/ {skip = 0} !skip || /<!-- cores:end -->/ {if (!/cores:begin/) print}' docs/export.md >"$work/page" &&
      cp "$work/page" docs/export.md
  fi
  cat "$work/table"
  # sizes and counts are those of one compiler's version: the page may be off by a tenth
  sed -n '/<!-- cores:begin -->/,/<!-- cores:end -->/p' docs/export.md | grep '^|' |
    paste -d'\n' - "$work/table" | awk '
      function value(text, list,   n, i) { gsub(/[^0-9.]+/, " ", text); return split(text, list, " ") }
      NR % 2 {n = value($0, a); next}
      {m = value($0, b); if (n != m) bad = 1; for (i = 1; i <= n; i++) if (a[i] > 1.1 * b[i] + 40 || b[i] > 1.1 * a[i] + 40) bad = 1}
      END {exit bad}'
}

source=f32 real=float
check "all laws are written in single precision" export_laws "$work/f32" --float32 --sample-time '1 ms'
for core in M3 M4F M7 M33; do
  for compiler in gcc clang; do
    for level in -Os -O2; do check "single precision, $core, $compiler $level" on_core $compiler $core $level; done
  done
done
check "the table of docs/export.md" table_stays
source=f64 real=double
check "all laws are written in double precision" export_laws "$work/f64" --sample-time '1 ms'
check "double precision, M7, gcc -O2" on_core gcc M7 -O2
# with its own friction for each direction, in one core
source=s32 real=float laws="coulomb lugre gms"
mkdir -p "$work/s32"
for law in $laws; do export_skewed "$law" "$work/s32/c_$law.c" --float32 --sample-time '1 ms'; done
check "both directions, single precision, M4F, gcc -O2" on_core gcc M4F -O2
