import { runOutside } from './run-outside.ts';

const USAGE = `Usage: npm run chaos -- [--minutes M [--only FAULT,…]] [--seed S]

The whole product under load with services of its own, while servers are killed, Redis, NATS and PostgreSQL restarted, wires cut and switches
frozen; then the switch's own record is judged. Exit code 0 without a violation and with dispatch always back within 5 s.

  --minutes M    how long; without it the short plan of npm test
  --only F,…     these faults alone, such as redis.flush,server.kill; a wrong name lists all
  --seed S       replays the faults of an earlier run
`;

/** `npm run chaos`: runs the whole product under load while services, connections and switches are broken. */
export function chaos(args: readonly string[]): Promise<number> {
  return runOutside({ file: 'test/chaos/main.ts', name: 'chaosMain', usage: USAGE }, args);
}
