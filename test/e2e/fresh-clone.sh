#!/bin/sh
# Checks what a user gets: clones HEAD into an empty folder and runs the README's commands there with the system's Node.
#   sh test/e2e/fresh-clone.sh [--with-tests] [seconds]
# Packages come through `npm ci` as for any user; only npm's own cache is reused.
set -eu

with_tests=no
if [ "${1:-}" = "--with-tests" ]; then
  with_tests=yes
  shift
fi
seconds=${1:-45}
project=$(cd "$(dirname "$0")/../.." && pwd)

# Without this checkout's packages and the services of a test run.
PATH=$(printf '%s' "$PATH" | tr ':' '\n' | grep -v -e node_modules -e node-gyp-bin | paste -sd: -)
export PATH
for variable in $(env | sed -n 's/^\(CALLOUT_[A-Z_]*\|npm_lifecycle[a-z_]*\|npm_package[a-zA-Z_]*\|npm_command\|npm_execpath\|npm_node_execpath\|npm_config_local_prefix\|NODE_OPTIONS\|JEST_WORKER_ID\|NODE_ENV\|NODE\|INIT_CWD\)=.*/\1/p'); do
  unset "$variable"
done

say() { printf 'fresh-clone: %s\n' "$*"; }
fail() {
  say "FAILED: $*"
  exit 1
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/callout-fresh-clone-XXXXXX")
# The account that runs PostgreSQL must be able to enter.
chmod 755 "$folder"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

say "cloning HEAD into $folder with node $(node --version)"
git -c safe.directory='*' clone --quiet --no-local "$project" "$folder/callout"
cd "$folder/callout"

# Processes of this clone, recognised by their command; a zombie counts as gone.
leftovers() {
  for entry in /proc/[0-9]*; do
    if tr '\0' ' ' < "$entry/cmdline" 2> /dev/null | grep -q -F "$folder"; then
      case ${entry#/proc/} in $$) ;; *) tr '\0' ' ' < "$entry/cmdline"; echo ;; esac
    fi
  done
}

dialled_in() {
  sed -n 's/.*\] \([0-9]*\) calls dialled in all.*/\1/p' "$1"
}

began=$(date +%s)
code=0
LC_ALL=C.UTF-8 npm start --prefer-offline -- --plain --duration "$seconds" > "$folder/start.log" 2>&1 &
start=$!
until grep -q 'Open http' "$folder/start.log" || ! kill -0 "$start" 2> /dev/null; do sleep 1; done
look=0
node_modules/.bin/node --disable-warning=ExperimentalWarning test/e2e/look-at-console.ts "$folder/start.log" || look=$?
wait "$start" || code=$?
cat "$folder/start.log"
[ "$code" = 0 ] || fail "npm start ended with $code"
[ "$look" = 0 ] || fail "the console is not as a browser should find it"
say "npm start took $(($(date +%s) - began)) s, packages included"

grep -q 'Open http' "$folder/start.log" || fail "no address to log in with"
dialled=$(dialled_in "$folder/start.log")
completed=$(sed -n '/calls dialled in all/,$ s/.*: completed \([0-9]*\), failed.*/\1/p' "$folder/start.log" | head -1)
[ "${dialled:-0}" -gt 0 ] || fail "no call was dialled"
[ "${completed:-0}" -gt 0 ] || fail "no result was written"
grep -q -e 'customer: ' -e 'bot: ' "$folder/start.log" || fail "no caption was shown"
[ -z "$(leftovers)" ] || fail "left behind: $(leftovers)"
grep -q 'has not taken an answered call' .callout/logs/serve.log && fail "somebody answered while it stopped, and heard nobody"

say "a second start goes on"
LC_ALL=C.UTF-8 npm start -- --plain --duration 3 > "$folder/again.log" 2>&1 || code=$?
cat "$folder/again.log"
[ "$code" = 0 ] || fail "the second npm start ended with $code"
again=$(dialled_in "$folder/again.log")
[ "${again:-0}" -ge "$dialled" ] || fail "the second start forgot calls: $dialled, then ${again:-none}"
grep -q 'imported' "$folder/again.log" && fail "the second start imported again"
[ -z "$(leftovers)" ] || fail "left behind: $(leftovers)"

if [ "$with_tests" = yes ]; then
  npm test || fail "npm test ended with $?"
else
  # The path of `npm test`: packages, services, Jest on the locked Node.
  npm run jest -- --selectProjects integration --testPathPatterns integration/support || fail "the tests' own way ended with $?"
fi
[ -z "$(leftovers)" ] || fail "left behind: $(leftovers)"

say "ok: $dialled calls dialled, $completed contacts completed"
