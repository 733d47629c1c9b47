import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { explainFailure } from '#tools/commands/with-services.ts';
import { findBinary } from '#tools/services/binaries.ts';
import { installPrograms, systemInstallation } from '#tools/services/install.ts';
import { StartFailure } from '#tools/services/service.ts';
import { summaryOf } from './report.ts';
import { programsOf, runSwitchCheck, type SwitchCheck } from './run-switch-check.ts';

const EX_USAGE = 64;
const EXIT_INTERRUPTED = 130;
const NO_SWITCH = 'switch-check: no FreeSWITCH is there; name its binary with --freeswitch, or put it on the PATH';
const OPTIONS = {
  freeswitch: { type: 'string', default: 'freeswitch' },
  short: { type: 'boolean', default: false },
  only: { type: 'string' },
  keep: { type: 'boolean', default: false },
} as const;

/** `npm run switch-check`: resolves to 0 when every case passed. */
export async function switchCheckMain(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (options === null) return EX_USAGE;
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const check: SwitchCheck = {
    binary: options.freeswitch,
    isShort: options.short,
    isKept: options.keep,
    only: options.only === undefined ? null : new RegExp(options.only),
    print: line => void process.stdout.write(`${line}\n`),
    signal: interrupted.signal,
  };
  return explainFailure(() => run(check));
}

async function run(check: SwitchCheck): Promise<number> {
  const { print, signal } = check;
  const isThere = check.binary.includes('/') ? existsSync(check.binary) : findBinary(check.binary, process.env) !== null;
  if (!isThere) throw new StartFailure(NO_SWITCH);
  await installPrograms(programsOf(check), systemInstallation(process.env, print));
  const beganAt = systemClock.monotonic();
  const rows = await runSwitchCheck(check);
  if (signal.aborted) {
    print('switch-check: interrupted; nothing is judged');
    return EXIT_INTERRUPTED;
  }
  print('');
  for (const line of summaryOf(rows)) print(line);
  print(`${Math.round((systemClock.monotonic() - beganAt) / 1_000)} s`);
  return rows.length > 0 && rows.every(row => row.ok) ? 0 : 1;
}

function optionsOf(args: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    if (values.only !== undefined) RegExp(values.only);
    return values;
  } catch (error) {
    process.stderr.write(`switch-check: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}
