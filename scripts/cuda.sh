#!/usr/bin/env bash
# The GPU library, below build/cuda: cuda.sh build | check | test.
#   build   everything: libbristle-cuda, cuda-bits, cuda-bench
#   check   every law, exact and in double precision, and with derivatives, through the compiler: for machines without a GPU
#   test    build, then every law on the GPU beside the processor, bit by bit (exit 78 where there is no GPU)
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
here=$BUILD/cuda
if [ "${1:-build}" = test ] && [ ! -e /dev/nvidiactl ]; then echo "SKIP hardware: no NVIDIA GPU"; exit 78; fi
scripts/need.sh cuda
if ! command -v nvcc >/dev/null; then
  CUDACXX=$(cd "$BUILD/nvcc/lib/"python*/site-packages/nvidia/cu*/bin && pwd)/nvcc
  export CUDACXX
fi
cmake -S . -B "$here" -G Ninja -DBRISTLE_CUDA=ON -DBRISTLE_TOOLS=OFF -DBRISTLE_DERIVATIVES=OFF >/dev/null

case ${1:-build} in
check) cmake --build "$here" -j "${JOBS:-2}" --target bristle_cuda_exact_0 bristle_cuda_slopes \
  bristle_cuda_programs ;;
build)
  cmake --build "$here" -j "${JOBS:-2}"
  echo "Python and the tool find it by BRISTLE_CUDA=$(cd "$here" && pwd)"
  ;;
test)
  cmake --build "$here" -j "${JOBS:-2}"
  "$here/cuda-bits" "${STEPS:-1000}"
  ;;
esac
