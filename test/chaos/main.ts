import { randomInt, systemRandom } from '#kernel/random.ts';
import { FAULT_NAMES, longPlan, shortPlan } from './fault-plan.ts';
import { BINDING_LIMIT_MS } from './judge.ts';
import { reportLines } from './report.ts';
import { RECOVERY_LIMIT_MS, runChaos } from './run-chaos.ts';

const USAGE = `Usage: npm run chaos -- [--minutes M [--only FAULT,…]] [--seed S]
  without --minutes the short plan of npm test
  faults: ${FAULT_NAMES.join(' ')}
`;
const EX_USAGE = 64;
const EXIT_INTERRUPTED = 130;
const MAX_SEED = 0xffff_ffff;
const MAX_MINUTES = 24 * 60;
/** More contacts than five campaigns can dial in a minute, not counting retries. */
const CONTACTS_PER_MINUTE = 4_000;
const REST_TIMEOUT_MS = 90_000;

/** Runs `npm run chaos`; resolves to 0 when nothing was violated and dispatch always recovered in time. */
export async function chaosMain(args: readonly string[]): Promise<number> {
  const minutes = optionOf(args, '--minutes', 0);
  const seed = optionOf(args, '--seed', randomInt(systemRandom, 0, MAX_SEED));
  const only = listOf(args, '--only') ?? FAULT_NAMES;
  if (
    only.some(name => !FAULT_NAMES.includes(name)) ||
    !(minutes >= 0 && minutes <= MAX_MINUTES) ||
    !Number.isInteger(seed) ||
    seed < 0 ||
    seed > MAX_SEED
  ) {
    process.stderr.write(USAGE);
    return EX_USAGE;
  }
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  print(`chaos: seed ${seed}${minutes > 0 ? `, ${minutes} min` : ''}`);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const verdict = await runChaos({
    seed,
    plan: minutes > 0 ? longPlan(seed, minutes, only) : shortPlan(seed),
    contactsPerCampaign: Math.ceil(Math.max(2, minutes + 1) * CONTACTS_PER_MINUTE),
    restTimeoutMs: REST_TIMEOUT_MS,
    channelLimitMs: BINDING_LIMIT_MS,
    print,
    signal: interrupted.signal,
  });
  if (interrupted.signal.aborted) {
    print('chaos: interrupted; nothing is judged');
    return EXIT_INTERRUPTED;
  }
  for (const line of reportLines(verdict)) print(line);
  const late = verdict.recoveries.filter(({ ms }) => ms === null || ms > RECOVERY_LIMIT_MS);
  if (late.length > 0)
    print(`dispatch was back later than ${RECOVERY_LIMIT_MS} ms after ${late.length} of ${verdict.recoveries.length} faults`);
  return verdict.violations.length > 0 || late.length > 0 ? 1 : 0;
}

function listOf(args: readonly string[], name: string): string[] | null {
  const place = args.indexOf(name);
  return place === -1 ? null : (args[place + 1] ?? '').split(',');
}

function optionOf(args: readonly string[], name: string, fallback: number): number {
  const place = args.indexOf(name);
  return place === -1 ? fallback : Number(args[place + 1]);
}
