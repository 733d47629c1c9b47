#!/bin/sh
# The way in for every npm script: installs the locked packages when they are missing or stale, then runs the locked Node.
# Works from any Node >= 20, because the locked Node arrives with the packages (optionalDependencies node-linux-*).
set -eu
cd "$(dirname "$0")/.."

stamp=node_modules/.callout-lock
want=$(cksum < package-lock.json)
is_installed() { [ -x node_modules/.bin/node ] && [ "$(cat "$stamp" 2>/dev/null)" = "$want" ]; }

install() {
  echo "callout: installing the locked packages (npm ci) …" >&2
  npm ci --loglevel=error >&2
  if [ ! -x node_modules/.bin/node ]; then
    echo "callout: the locked Node is made for Linux on x64 and arm64; on $(uname -sm) use docker/compose.development.yaml" >&2
    exit 69
  fi
  printf '%s\n' "$want" > "$stamp"
}

if ! is_installed; then
  # Two commands at once: the second waits and then finds everything in place.
  mkdir -p .callout
  exec 9> .callout/install.lock
  if command -v flock > /dev/null; then flock 9; fi
  is_installed || install
  exec 9>&-
fi

PATH="$PWD/node_modules/.bin:$PATH"
export PATH
exec node_modules/.bin/node --disable-warning=ExperimentalWarning tools/main.ts "$@"
