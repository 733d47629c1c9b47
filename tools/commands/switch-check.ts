import { runOutside } from './run-outside.ts';

const USAGE = `Usage: npm run switch-check -- --freeswitch BINARY [--short] [--only PATTERN] [--keep]

The product on a real FreeSWITCH: docker/freeswitch as shipped, with customers and agents' phones behind another one that send a tone each and
tell what they hear, and a phone in Chromium. Services, server and runtime are its own; only ports, paths and addresses of the shipped configuration are replaced.
Chromium is installed where a case needs it and this user may. Exit code 0 when every case held.

  --freeswitch BINARY   FreeSWITCH 1.10 or later; else the one on the PATH
  --short               what npm test runs: below six minutes
  --only PATTERN        only areas whose name it matches, a regular expression
  --keep                leaves logs and recordings in /tmp/callout-switch-…
`;

/** `npm run switch-check`: checks outcomes, missed answers, audio paths, kills and caps on a real switch. */
export function switchCheck(args: readonly string[]): Promise<number> {
  return runOutside({ file: 'test/switch/main.ts', name: 'switchCheckMain', usage: USAGE }, args);
}
