import { runOutside } from './run-outside.ts';

const USAGE = `Usage: npm run runtime:check -- --nats URL
       npm run runtime:check -- --run "COMMAND"

Looks whether a call-flow runtime, anybody's, keeps to the contract that the server serves at /docs/nats. It plays the server: answers hello and
beat, hands calls over, serves a script, reads captions and reports, and breaks things. One line for each check: ok, FAULT, not supported (what the
contract leaves open), left out. The NATS must have JetStream and no server of Callout on it.

  --nats URL         the NATS of a runtime that somebody has started, nats://user:password@host:port
  --run "COMMAND"    starts the runtime by this shell command, NATS_URL and CALLOUT_NATS_URL print it where; without --nats on a NATS of its own with
                     the users of docker/nats.conf, so that NATS can be killed too. Kill -9, taking over and draining are checked only so
  --runtime-nats URL where that command connects to, when not as --nats says: nats://user:password@host:port of the runtime's own user
  --runtime-id ID    which one, where several say hello; else the first
  --only PATTERN     only checks whose title the regular expression matches
  --call-seconds N   how long a call lasts at most that nobody ends, 60 when absent

  npm run runtime:check -- --run "npm run runtime -- --speed 4 --max-calls 5"
  npm run runtime:check -- --run "node examples/runtime-minimal/runtime.mjs"

CALLOUT_INTERNAL_TOKEN is the token with which the runtime signs; --run gives it one where there is none, and without either signatures are left out.

Exit codes: 0 no fault, 1 faults, 64 arguments, 69 no NATS, or a server on it
`;

/** `npm run runtime:check`: checks any call-flow runtime; prints pass or fail for each check. */
export function runtimeCheck(args: readonly string[]): Promise<number> {
  return runOutside({ file: 'test/runtime-check/main.ts', name: 'runtimeCheckMain', usage: USAGE }, args);
}
