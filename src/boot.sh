#!/bin/sh
# The way in for every npm script: installs the locked packages when they are missing or stale, then runs the locked Node.
# Works from any Node >= 20, because the locked Node arrives with the packages (optionalDependencies node-linux-*).
set -eu
cd "$(dirname "$0")/.."
stamp=node_modules/.callout-lock
want=$(cksum < package-lock.json)
if [ ! -x node_modules/.bin/node ] || [ "$(cat "$stamp" 2>/dev/null)" != "$want" ]; then
  echo "callout: installing the locked packages (npm ci) …" >&2
  npm ci --loglevel=error >&2
  printf '%s\n' "$want" > "$stamp"
fi
PATH="$PWD/node_modules/.bin:$PATH"
export PATH
exec node_modules/.bin/node --disable-warning=ExperimentalWarning src/main.ts "$@"
