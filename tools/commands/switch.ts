import { parseArgs } from 'node:util';
import { SYNTHESIS } from '../switch/media/espeak.ts';
import { findBinary } from '../services/binaries.ts';
import { DEFAULT_ROUTES, type Routes } from '../switch/dial-string.ts';
import { DEFAULT_WORLD, type World } from '../switch/world.ts';
import type { Phone } from '../switch/phone.ts';
import { type SimulatorOptions, startSwitchSimulator } from '../switch/simulator.ts';
import { productDirectory } from '../switch/sip/directory.ts';
import { systemClock } from '#kernel/clock.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom, systemRandom } from '#kernel/random.ts';
import type { Command } from '#platform/process.ts';
import { integerOf, numberOf, settingOf, WrongSettingError } from '#tools/role-setting.ts';

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
  --talk-ms MIN-MAX        how long a callee talks in whole; it counts only while somebody takes part (bridged, in a
                           conference with somebody, something played, or callout_attend), then the callee hangs up
  --impatient-rate R       0; share of people who hang up after that time even in silence
  --by-number              the last two digits of the number force the outcome, see below
  --phones N               agents' phones, registered as 1001, 1002 and on; each talks for a while and hangs up
  --realm D                127.0.0.1; domain of these phones: they are user/1001@D
  --domain                 user/1001 means user/1001@D; without it such a user is not found (SUBSCRIBER_ABSENT)
  --browser-phones PORT    SIP over WebSocket for agents' browsers, with real sound; 0 takes a free port. While one is registered, it
                           rings instead of the simulated phone of its extension
  --directory URL          where the hashes of these phones' passwords come from: the product's directory, asked as mod_xml_curl
                           does, with the password CALLOUT_INTERNAL_TOKEN. Where espeak-ng is on the PATH, it speaks for simulated
                           people and the bot; else tones mark their sentences
  --recordings DIR         writes a short WAV of tones there for each recording; without it recordings are only told
  --call-records URL       posts the record of each call there, as mod_json_cdr does, with the password
                           CALLOUT_INTERNAL_TOKEN
  --sessions-per-second N  30, of which one less is admitted
  --max-sessions N         1000
  --help

With --by-number, a number that ends in
  00  rings, answers after 1 s, hangs up 5 s later         09  183 with media, then 486
  01  486 busy                                             10  no answer of any kind until the time is out
  02  rings until the time is out                          12  answers at once, hangs up after 1 s
  03  404 unallocated                                      13  484 bad number
  04  180, 183 with media, answers after 1 s, 5 s          14  410 number changed
  05  answers at once, stays until somebody ends it        15  500 failure
  06  603 rejected                                         16  408 request time-out
  07  480 unavailable                                      17  488 not acceptable
  08  503 failure
Any other ending: by chance, as the shares say.

A server dials here with this in the file that CALLOUT_CONFIG names (npm run serve):
  cells: [{ id: simulated, host: 127.0.0.1, port: 8021, password: ClueCon }]
Further members of cells[]: maxConcurrency, maxOriginatesPerSecond, originateTimeoutSeconds, sipProfile, conferenceProfile,
recordingBaseUrl, recordingFolder, media, isEnabled (docs/configuration.md, "Cells").

Control line, on an authenticated connection:
  api callout_record [n]       what the switch saw, as JSON
  api callout_attend UUID      a runtime speaks with that callee
  api callout_speak {"uuid":"…","speaker":"bot","text":"…"}
                               speaks on that callee's channel (bot customer agent) to the browsers' phones that hear it: +OK and the
                               length in ms when it begins, or +OK unheard
  api callout_hush UUID        ends what is spoken there
  api callout_people UUID      talk of the people in browsers whom that callee hears, as JSON; null: there are none
  api callout_phone {"extension":"1001","isRegistered":true,"manner":"answers","ringMs":100,"talkMs":null}
  api callout_fault {"fault":"cut","durationMs":4000}
                               drop cut freeze thaw slow kill restart (durationMs) · loseReplies (count, kind) loseEvents
                               (count, event) duplicateEvents swapEvents (count) · slowRooms (count, durationMs)
                               unwritableRecordings (count) refuse (count, cause) · gatewayDown gatewayUp (gateway) ·
                               silentCarrier refusingCarrier halfDeadCarrier congestedCarrier carrierUp (gateway: its
                               name, or the host of a line without one)

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
  'impatient-rate': { type: 'string' },
  'by-number': { type: 'boolean' },
  phones: { type: 'string' },
  realm: { type: 'string' },
  domain: { type: 'boolean' },
  'browser-phones': { type: 'string' },
  directory: { type: 'string' },
  recordings: { type: 'string' },
  'call-records': { type: 'string' },
  'sessions-per-second': { type: 'string' },
  'max-sessions': { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;

/**
 * Runs the switch simulator as a process of its own; exits with 0 on SIGINT or SIGTERM.
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

/** Next step for an error whose message alone does not suggest one. */
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
    ...agentsDomain(values),
    ...(values.recordings === undefined ? {} : { recordings: values.recordings }),
    ...browserPhonesOf(values, env['CALLOUT_INTERNAL_TOKEN'] ?? ''),
    ...callRecordsOf(values, env['CALLOUT_INTERNAL_TOKEN'] ?? ''),
    sessionsPerSecond: integer('sessions-per-second', values['sessions-per-second'] ?? '30', 2, 100_000),
    maxSessions: integer('max-sessions', values['max-sessions'] ?? '1000', 1, 1_000_000),
  });
  const ended = untilSignal();
  const phones = simulator.phonePort === null ? '' : `, agents' browser phones on ws://${host}:${simulator.phonePort}`;
  process.stdout.write(`callout switch: simulated FreeSWITCH Event Socket on ${host}:${simulator.port}${phones}\n`);
  await ended;
  await simulator.close();
  return 0;
}

/** Domain of the phones, and whether the switch adds it to a dial string without one. */
function agentsDomain({ realm = '127.0.0.1', domain }: Values): { realm: string; routes: Routes } {
  return { realm, routes: domain === true ? { ...DEFAULT_ROUTES, domain: realm } : DEFAULT_ROUTES };
}

const FIRST_EXTENSION = 1_001;
/** How an agent's phone behaves: its response, and its ring and talk times in ms. */
const PHONE = { manner: 'answers', isRegistered: true, ringMs: 1_500, talkMs: 12_000 } as const;

function phonesOf(values: Values): Phone[] {
  const count = integer('phones', values.phones ?? '0', 0, 1_000);
  return Array.from({ length: count }, (_, index) => ({ ...PHONE, extension: String(FIRST_EXTENSION + index) }));
}

function worldOf(values: Values): World {
  const { rates, ringMs, talkMs, impatientShare } = DEFAULT_WORLD;
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
    impatientShare: rate('impatient-rate', values['impatient-rate'], impatientShare),
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

/** Phones of browsers need both a port and a directory of their passwords. */
function browserPhonesOf({ 'browser-phones': port, directory = '' }: Values, token: string): Pick<SimulatorOptions, 'browserPhones'> {
  if (port === undefined) return {};
  if (!/^https?:$/.test(URL.parse(directory)?.protocol ?? ''))
    throw new WrongSettingError({ text: directory, place: '--directory' }, 'an address of HTTP, for --browser-phones');
  const findA1Hash = productDirectory(directory, token);
  const findSynthesis = () => findBinary(SYNTHESIS, process.env);
  return { browserPhones: { port: integer('browser-phones', port, 0, 65_535), findA1Hash, findSynthesis } };
}

function callRecordsOf({ 'call-records': url }: Values, token: string) {
  return url === undefined ? {} : { callRecords: { url, token } };
}
