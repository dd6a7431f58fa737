#!/usr/bin/env bash
# Installs what this machine lacks:   bash .ci/setup.sh build | pack | test | nightly
#   build    what building the module, the library and the page needs
#   pack     that, and Clang 19 for fused.wasm, which every package contains
#   test     that, and native compilers, libraries, linters and three browsers
#   nightly  that, and what counts the C++ lines that tests run
# On Debian by apt-get, and node_modules by npm ci. Elsewhere it says what to install. Nothing is
# downloaded when nothing is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

level=${1:-}
case $level in
  build | pack | test | nightly) ;;
  *)
    echo 'usage: bash .ci/setup.sh build | pack | test | nightly' >&2
    exit 2
    ;;
esac

stop() {
  printf '%s\n' "$@" >&2
  exit 1
}

have() {
  command -v "$1" >/dev/null
}

have_any() {
  local name
  for name in "$@"; do
    if have "$name"; then return 0; fi
  done
  return 1
}

have_emscripten() {
  have emcmake || [ -x "${EMSDK:-}/upstream/emscripten/emcmake" ]
}

have_wasm_clang() {
  node --input-type=module -e "
    import { findEmscripten } from './web/emscripten.js';
    import { findWasmClang } from './web/wasm_clang.js';
    process.exitCode = findWasmClang(findEmscripten('.build/emscripten-cache')) ? 0 : 1;" 2>/dev/null
}

have_sanitizers() {
  have clang++ && compgen -G "$(clang++ -print-runtime-dir)/libclang_rt.asan*" >/dev/null
}

have_headers() {
  local name source=''
  have clang++ || return 1
  for name in "$@"; do
    source+=$'#if !__has_include(<'$name$'>)\n#error\n#endif\n'
  done
  clang++ -E -x c++ - <<<"$source" >/dev/null 2>&1
}

have_numpy() {
  python3 -c 'import numpy' 2>/dev/null || /usr/bin/python3 -c 'import numpy' 2>/dev/null
}

# Another architecture's machine runs its own tests there.
have_arm64() {
  [ "$(uname -m)" = aarch64 ] || { have qemu-aarch64-static && [ -e /usr/aarch64-linux-gnu/lib/libstdc++.so.6 ]; }
}

# Two lists of the same order: Debian's names, and names that say it anywhere.
packages=()
names=()
lack() {
  packages+=("$1")
  names+=("$2")
}

find_missing() {
  packages=()
  names=()
  have cmake || lack cmake 'CMake 3.25 or newer'
  have ninja || lack ninja-build 'Ninja'
  have_emscripten || lack 'emscripten node-acorn' 'Emscripten 3.1.6 or newer (emcmake on PATH, or EMSDK set)'
  if [ "$level" != build ]; then
    { have_emscripten && have_wasm_clang; } || lack 'clang-19 lld-19' 'Clang 19 or newer with its wasm-ld (clang++ on PATH)'
  fi
  if [ "$level" = test ] || [ "$level" = nightly ]; then
    have clang++ || lack clang 'Clang 14 or newer (clang++)'
    have_sanitizers || lack libclang-rt-dev "Clang's sanitizer runtime"
    have_headers simde/wasm/simd128.h || lack libsimde-dev 'SIMDe (simde/wasm/simd128.h)'
    have_headers nlohmann/json.hpp || lack nlohmann-json3-dev 'nlohmann/json (nlohmann/json.hpp)'
    [ -e /usr/src/googletest/CMakeLists.txt ] || lack googletest 'the sources of GoogleTest in /usr/src/googletest'
    have spm_train || lack sentencepiece 'SentencePiece (spm_train, spm_encode)'
    have_numpy || lack python3-numpy 'Python 3 with NumPy'
    have_arm64 || lack 'qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross' 'QEMU for ARM64 (qemu-aarch64-static) with C and C++ libraries in /usr/aarch64-linux-gnu'
    have clang-format || lack clang-format 'clang-format 14'
    have clang-tidy || lack clang-tidy 'clang-tidy 14'
    have_any chromium chromium-browser google-chrome-stable google-chrome || lack chromium 'Chromium or Chrome'
    have_any firefox-esr firefox || lack firefox-esr 'Firefox'
    have WebKitWebDriver || lack webkit2gtk-driver 'WebKitGTK with its WebKitWebDriver and MiniBrowser'
    have Xvfb || lack xvfb 'Xvfb, a screen for WebKit'
  fi
  if [ "$level" = nightly ]; then
    have g++ || lack g++ 'GCC (g++)'
    have gcovr || lack gcovr 'gcovr'
  fi
}

is_debian() {
  have apt-get && grep -qx 'ID=debian' /etc/os-release 2>/dev/null
}

install_packages() {
  local -a as_root=() wanted
  local log
  read -r -a wanted <<<"${packages[*]}"
  if [ "$(id -u)" != 0 ]; then
    have sudo || stop 'Neither root nor sudo here. As root, run:' \
      "  apt-get update && apt-get install --no-install-recommends ${wanted[*]}"
    as_root=(sudo)
  fi
  echo "installing ${wanted[*]} (the first time this takes a few minutes)"
  log=$(mktemp)
  local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${wanted[@]}"; } \
    </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    stop "apt-get could not install: ${wanted[*]}"
  fi
  rm -f "$log"
}

{ have node && have npm; } || stop 'Node.js 20 or newer is needed, with npm.'
node_version=$(node --version)
major=${node_version#v}
major=${major%%.*}
[ "$major" -ge 20 ] || stop "Node.js 20 or newer is needed, this is $node_version."

find_missing
if [ ${#packages[@]} -gt 0 ]; then
  is_debian || stop 'Please install:' "${names[@]/#/  - }"
  install_packages
  hash -r
  find_missing
  [ ${#packages[@]} -eq 0 ] || stop 'Still missing after the installation:' "${names[@]/#/  - }"
fi

# npm writes node_modules/.package-lock.json when it has installed what package-lock.json says.
installed=node_modules/.package-lock.json
if [ ! -e $installed ] || [ package-lock.json -nt $installed ]; then
  echo 'installing node_modules'
  npm ci --ignore-scripts --no-update-notifier --loglevel=error
  touch $installed
fi
