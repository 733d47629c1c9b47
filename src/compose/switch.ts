import { parseArgs } from 'node:util';
import { DEFAULT_WORLD, type World } from '#companions/switch/world.ts';
import type { Phone } from '#companions/switch/phone.ts';
import { startSwitchSimulator } from '#companions/switch/simulator.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom, systemRandom } from '#kernel/random.ts';
import type { Command } from './command.ts';
import { integerOf, numberOf, settingOf, WrongSettingError } from './role-setting.ts';

const HELP = `Usage: npm run switch -- [options]

A switch that speaks FreeSWITCH's Event Socket and calls simulated people. Loopback only, unless --host says otherwise.

  --host H                 address to listen on            CALLOUT_SWITCH_HOST      127.0.0.1
  --port N                 port; 0 takes a free one        CALLOUT_SWITCH_PORT      8021
  --password P             password of the Event Socket    CALLOUT_SWITCH_PASSWORD  ClueCon
  --seed N                 same seed, same people          CALLOUT_SWITCH_SEED      random
  --answer-rate R          shares of the outcomes: each is a number from 0 to 1,
  --busy-rate R            and they are taken relative to their sum
  --no-answer-rate R
  --reject-rate R
  --unreachable-rate R
  --voicemail-rate R
  --ring-ms MIN-MAX        from the first ring to the answer
  --talk-ms MIN-MAX        from the answer to the callee's hang-up
  --by-number              the last two digits of the number force the outcome
  --phones N               agents' phones, registered as 1001, 1002 and on; each talks for a while and hangs up
  --sessions-per-second N  30, of which one less is admitted
  --max-sessions N         1000
  --help

Exit codes: 0 stopped, 64 arguments, 69 the address is not to be had, 78 a wrong variable
`;

const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  password: { type: 'string' },
  seed: { type: 'string' },
  'answer-rate': { type: 'string' },
  'busy-rate': { type: 'string' },
  'no-answer-rate': { type: 'string' },
  'reject-rate': { type: 'string' },
  'unreachable-rate': { type: 'string' },
  'voicemail-rate': { type: 'string' },
  'ring-ms': { type: 'string' },
  'talk-ms': { type: 'string' },
  'by-number': { type: 'boolean' },
  phones: { type: 'string' },
  'sessions-per-second': { type: 'string' },
  'max-sessions': { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;

/**
 * The switch simulator as a process of its own; ends with 0 on SIGINT or SIGTERM.
 *
 * Errors: exit code 64 on a wrong flag, 69 when the port cannot be opened, 78 on a wrong variable
 */
export const switchSimulator: Command = async args => {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    return await run(values);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const exitCode = exitCodeOf(error);
    process.stderr.write(`callout switch: ${problem}${NEXT_STEPS[exitCode] ?? ''}\n`);
    return exitCode;
  }
};

/** Of what the message alone leaves open. */
const NEXT_STEPS: Readonly<Record<number, string>> = { [EX_UNAVAILABLE]: '; end what listens there, or choose another' };

function exitCodeOf(error: unknown): number {
  if (error instanceof WrongSettingError) return error.exitCode;
  return error instanceof TypeError ? EX_USAGE : EX_UNAVAILABLE;
}

async function run(values: Values): Promise<number> {
  const { env } = process;
  const given = (flag: 'host' | 'port' | 'password' | 'seed', variable: string, fallback: string) =>
    settingOf({ flag, value: values[flag], variable, env, fallback });
  const host = given('host', 'CALLOUT_SWITCH_HOST', '127.0.0.1').text;
  const seed = given('seed', 'CALLOUT_SWITCH_SEED', '');
  const simulator = await startSwitchSimulator({
    host,
    port: integerOf(given('port', 'CALLOUT_SWITCH_PORT', '8021'), 0, 65_535),
    password: given('password', 'CALLOUT_SWITCH_PASSWORD', 'ClueCon').text,
    random: seed.text === '' ? systemRandom : seededRandom(integerOf(seed, 0, 4_294_967_295)),
    clock: systemClock,
    log: silentLog,
    world: worldOf(values),
    phones: phonesOf(values),
    sessionsPerSecond: integer('sessions-per-second', values['sessions-per-second'] ?? '30', 2, 100_000),
    maxSessions: integer('max-sessions', values['max-sessions'] ?? '1000', 1, 1_000_000),
  });
  process.stdout.write(`callout switch: simulated FreeSWITCH Event Socket on ${host}:${simulator.port}\n`);
  await untilSignal();
  await simulator.close();
  return 0;
}

const FIRST_EXTENSION = 1_001;
/** How an agent answers and how long it talks, ms. */
const PHONE = { manner: 'answers', isRegistered: true, ringMs: 1_500, talkMs: 12_000 } as const;

function phonesOf(values: Values): Phone[] {
  const count = integer('phones', values.phones ?? '0', 0, 1_000);
  return Array.from({ length: count }, (_, index) => ({ ...PHONE, extension: String(FIRST_EXTENSION + index) }));
}

function worldOf(values: Values): World {
  const { rates, ringMs, talkMs } = DEFAULT_WORLD;
  return {
    ...DEFAULT_WORLD,
    byNumber: values['by-number'] ?? DEFAULT_WORLD.byNumber,
    rates: {
      answer: rate('answer-rate', values['answer-rate'], rates.answer),
      busy: rate('busy-rate', values['busy-rate'], rates.busy),
      noAnswer: rate('no-answer-rate', values['no-answer-rate'], rates.noAnswer),
      reject: rate('reject-rate', values['reject-rate'], rates.reject),
      unreachable: rate('unreachable-rate', values['unreachable-rate'], rates.unreachable),
      voicemail: rate('voicemail-rate', values['voicemail-rate'], rates.voicemail),
    },
    ringMs: range('ring-ms', values['ring-ms'], ringMs),
    talkMs: range('talk-ms', values['talk-ms'], talkMs),
  };
}

function integer(flag: string, text: string, min: number, max: number): number {
  return integerOf({ text, place: `--${flag}` }, min, max);
}

function rate(flag: string, text: string | undefined, fallback: number): number {
  return text === undefined ? fallback : numberOf({ text, place: `--${flag}` }, 0, 1);
}

function range(flag: string, text: string | undefined, fallback: World['ringMs']): World['ringMs'] {
  if (text === undefined) return fallback;
  const [, min = '', max = ''] = /^(\d{1,8})-(\d{1,8})$/.exec(text) ?? [];
  if (min === '' || Number(min) > Number(max)) throw new WrongSettingError({ text, place: `--${flag}` }, 'MIN-MAX in milliseconds');
  return { minMs: Number(min), maxMs: Number(max) };
}

function untilSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
