#!/bin/sh
# Entry point of every npm script: installs the locked packages if they are missing or stale, then runs the locked Node.
# Works with any Node >= 20, because the locked Node is installed with the packages (optionalDependencies node-linux-*).
set -eu
cd "$(dirname "$0")/.."

stamp=node_modules/.callout-lock
want=$(cksum < package-lock.json)
is_installed() { [ -x node_modules/.bin/node ] && { [ "$(cat "$stamp" 2>/dev/null)" = "$want" ] || adopts_packages; }; }

# After a manual `npm ci`: npm's list of installed packages contains all locked ones, except those for other platforms.
adopts_packages() {
  [ -f node_modules/.package-lock.json ] && node -e '
    const packages = file => JSON.parse(require("fs").readFileSync(file, "utf8")).packages;
    const installed = packages("node_modules/.package-lock.json");
    const isThere = ([path, { optional, version, integrity }]) =>
      path === "" || optional || (installed[path]?.version === version && installed[path].integrity === integrity);
    process.exit(Object.entries(packages("package-lock.json")).every(isThere) ? 0 : 1);
  ' && printf '%s\n' "$want" > "$stamp"
}

# The locked Node needs libatomic, which a minimal Debian or Ubuntu lacks.
runs_node() { node_modules/.bin/node --version > /dev/null 2>&1; }

install_library() {
  if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
    echo "callout: the locked Node does not run here: $(node_modules/.bin/node --version 2>&1 | head -n 1)" >&2
    echo "callout: install the library that it names and repeat the command; on Debian and Ubuntu: apt-get install libatomic1" >&2
    exit 69
  fi
  apt_library && runs_node && return
  echo "callout: the locked Node does not run here: $(node_modules/.bin/node --version 2>&1 | head -n 1)" >&2
  exit 69
}

# Waits up to ten minutes while another process holds a lock of apt; other failures end it at once.
apt_get() {
  tries=300
  until problem=$(DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq "$@" 2>&1 > /dev/null); do
    tries=$((tries - 1))
    case $problem in *"Could not get lock"* | *"Unable to acquire"* | *"Unable to lock"*) ;; *) tries=0 ;; esac
    if [ $tries -le 0 ]; then
      printf '%s\n' "$problem" >&2
      return 1
    fi
    sleep 2
  done
}

apt_library() {
  echo "callout: installing libatomic1 (apt-get) …" >&2
  apt_get update && apt_get -y --no-install-recommends install libatomic1
}

# Whether the dynamic linker is sure not to find the library, and apt can install it.
lacks_library() {
  libraries=$(ldconfig -p 2>/dev/null) || return 1
  case $libraries in *libatomic.so.1*) return 1 ;; esac
  [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null
}

install() {
  echo "callout: installing the locked packages (npm ci) …" >&2
  # Both mostly wait for the network.
  if lacks_library; then apt_library & fi
  npm ci --loglevel=error >&2 || failed=$?
  wait
  [ -z "${failed:-}" ] || exit "$failed"
  if [ ! -x node_modules/.bin/node ]; then
    echo "callout: the locked Node is made for Linux on x64 and arm64; on $(uname -sm) use docker/compose.development.yaml" >&2
    exit 69
  fi
  printf '%s\n' "$want" > "$stamp"
}

if ! is_installed || ! runs_node; then
  # Of two concurrent commands the second waits, and then finds everything installed.
  mkdir -p .callout
  exec 9> .callout/install.lock
  if command -v flock > /dev/null; then flock 9; fi
  is_installed || install
  runs_node || install_library
  exec 9>&-
fi

PATH="$PWD/node_modules/.bin:$PATH"
# Set before the first file is loaded: with a compile cache Node need not load its type stripper, 28 MiB less in every process but the first.
: "${NODE_COMPILE_CACHE:=${TMPDIR:-/tmp}/node-compile-cache}"
export PATH NODE_COMPILE_CACHE
# By default Node reserves 64 MiB for young objects, and malloc a pool per thread; both are mostly idle.
if [ "${1:-}" = serve ]; then export NODE_OPTIONS="${NODE_OPTIONS:-} --max-semi-space-size=16" MALLOC_ARENA_MAX=2; fi
exec node_modules/.bin/node --disable-warning=ExperimentalWarning tools/main.ts "$@"
