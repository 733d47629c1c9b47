import { parseArgs } from 'node:util';
import { composeRuntime, type ComposedSettings } from './compose.ts';
import { connectLink, isRefusal, type NatsLink } from './nats-link.ts';
import type { VoiceTarget } from './voice.ts';
import { MAX_RUNTIME_CALLS, poolMember, runtimeIdText } from '#protocol/pool.ts';
import { patiently } from '#kernel/backoff.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import { randomInt, systemRandom } from '#kernel/random.ts';
import type { Command } from '#platform/process.ts';
import { LOG_LEVELS } from '#platform/config/shape.ts';
import { createLog } from '#platform/log.ts';
import { readVersion } from '#platform/version.ts';
import { choiceOf, integerOf, numberOf, type RoleSetting, settingOf, WrongSettingError } from '#tools/role-setting.ts';

const HELP = `Usage: npm run runtime -- [options]

The reference call-flow runtime: takes answered calls from the server over NATS, walks their scripts with simulated customers, reports results.
Its contract is served by the server at /docs/nats.

  --nats-url U          address of NATS                   CALLOUT_NATS_URL              nats://127.0.0.1:4222
  --nats-wait-ms N      wait for NATS at the start        CALLOUT_NATS_WAIT_MS          20000
                        internal token of the server      CALLOUT_INTERNAL_TOKEN
  --nlu-url U           NLU service; empty: keywords      CALLOUT_NLU_URL
                        token of the NLU service          CALLOUT_NLU_TOKEN
  --nlu-timeout-ms N    one question to the NLU service   CALLOUT_NLU_TIMEOUT_MS        2000
  --max-calls N         calls at once                     CALLOUT_RUNTIME_MAX_CALLS     2000
  --runtime-id ID       letters, digits, - and _; another one for each process        runtime- and eight digits
  --business-codes A,B  only calls of these businesses    CALLOUT_RUNTIME_BUSINESS_CODES all
  --speed F             people talk F times faster        CALLOUT_RUNTIME_SPEED         1
  --voicemail-rate R    share of mailboxes, 0 to 1        CALLOUT_RUNTIME_VOICEMAIL     0.04
  --seed N              same seed, same customers         CALLOUT_RUNTIME_SEED          random
  --recordings DIR      writes each call there, as tones  CALLOUT_RUNTIME_RECORDINGS    nowhere
  --voice HOST:PORT     speaks at that simulated switch   CALLOUT_RUNTIME_VOICE         nowhere
                        password of its Event Socket      CALLOUT_SWITCH_PASSWORD       ClueCon
                        fatal, error, warn, info, debug   CALLOUT_LOG_LEVEL             info
  --help

It registers with the server, which then addresses calls to it; a server that registers none gives it calls by the queue group.
SIGTERM or SIGINT drains: live calls get 10 s; a second signal ends it at once.
Exit codes: 0 stopped, 64 arguments, 69 NATS does not answer, 76 the server will not have this runtime, 78 a wrong variable
`;

const OPTIONS = {
  'nats-url': { type: 'string' },
  'nats-wait-ms': { type: 'string' },
  'nlu-url': { type: 'string' },
  'nlu-timeout-ms': { type: 'string' },
  'max-calls': { type: 'string' },
  'runtime-id': { type: 'string' },
  'business-codes': { type: 'string' },
  speed: { type: 'string' },
  'voicemail-rate': { type: 'string' },
  seed: { type: 'string' },
  recordings: { type: 'string' },
  voice: { type: 'string' },
  help: { type: 'boolean' },
} as const;

interface Settings extends Omit<ComposedSettings, 'version'> {
  natsUrl: string;
  natsWaitMs: number;
  internalToken: string;
  logLevel: string;
}

/** Pause between connection attempts to NATS at the start, in ms. */
const NATS_PAUSE_MS = 250;
const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;
const EX_PROTOCOL = 76;
const MAX_SEED = 4_294_967_295;
/** Time for live calls to end after SIGTERM, in ms. */
const DRAIN_MS = 10_000;
/** Credentials in a URL: a log line contains the address, never the password. */
const CREDENTIALS = /\/\/[^@/]*@/g;

/**
 * Runs the reference call-flow runtime until SIGTERM or SIGINT; a second signal ends it at once.
 *
 * Errors: exit code 64 on a wrong flag, 69 when NATS cannot be reached at the start, 76 when the server refuses the runtime, 78 on a wrong
 *         variable
 */
export const runtime: Command = async args => {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    if (values.help) {
      process.stdout.write(HELP);
      return 0;
    }
    return await run(settingsOf(values, process.env));
  } catch (error) {
    if (!(error instanceof WrongSettingError || error instanceof TypeError)) throw error;
    const isSetting = error instanceof WrongSettingError;
    process.stderr.write(`callout runtime: ${error.message}${isSetting ? '' : '; "npm run runtime -- --help" tells them all'}\n`);
    return isSetting ? error.exitCode : EX_USAGE;
  }
};

async function run(settings: Settings): Promise<number> {
  const { runtimeId } = settings;
  const log = createLog({ level: settings.logLevel, instanceId: runtimeId });
  const address = settings.natsUrl.replaceAll(CREDENTIALS, '//');
  const link = await connect(settings, runtimeId, log);
  if (typeof link === 'string') {
    process.stderr.write(`callout runtime: NATS does not answer on ${address} (CALLOUT_NATS_URL): ${link}\n`);
    return EX_UNAVAILABLE;
  }
  const signalled = untilSignal();
  const running = composeRuntime({ ...settings, version: readVersion() }, { link, log });
  await running.ready;
  await link.flush();
  const nlu = settings.nluUrl === '' ? 'keywords' : settings.nluUrl;
  process.stdout.write(`callout runtime: ${runtimeId} takes calls from ${address}, at most ${settings.maxCalls}, understands by ${nlu}\n`);
  const refusal = await Promise.race([signalled, running.refused]);
  if (refusal !== null) process.stderr.write(`callout runtime: the server does not take ${runtimeId}: ${refusal}\n`);
  log.info({ liveCalls: running.liveCalls() }, 'draining');
  await running.drain(DRAIN_MS);
  await link.close();
  return refusal === null ? 0 : EX_PROTOCOL;
}

/** Connects to NATS; resolves to the link, or to the reason of the failure. */
async function connect(settings: Settings, name: string, log: Log): Promise<NatsLink | string> {
  const { natsUrl: url, natsWaitMs: timeoutMs, internalToken } = settings;
  try {
    return await patiently(systemClock, { pauseMs: NATS_PAUSE_MS, timeoutMs, isFinal: isRefusal }, () =>
      connectLink({ url, name, internalToken }, log),
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type Values = { [Name in Exclude<keyof typeof OPTIONS, 'help'>]?: string };

function settingsOf(values: Values, env: NodeJS.ProcessEnv): Settings {
  const given = (flag: keyof Values, variable: string, fallback: string) =>
    settingOf({ flag, value: values[flag], variable, env, fallback });
  const randomSeed = () => String(randomInt(systemRandom, 0, MAX_SEED));
  return {
    natsUrl: addressOf(given('nats-url', 'CALLOUT_NATS_URL', 'nats://127.0.0.1:4222')),
    natsWaitMs: integerOf(given('nats-wait-ms', 'CALLOUT_NATS_WAIT_MS', '20000'), 0, 600_000),
    nluUrl: addressOf(given('nlu-url', 'CALLOUT_NLU_URL', '')),
    internalToken: env['CALLOUT_INTERNAL_TOKEN'] ?? '',
    nluToken: env['CALLOUT_NLU_TOKEN'] ?? '',
    nluTimeoutMs: integerOf(given('nlu-timeout-ms', 'CALLOUT_NLU_TIMEOUT_MS', '2000'), 50, 60_000),
    maxCalls: integerOf(given('max-calls', 'CALLOUT_RUNTIME_MAX_CALLS', '2000'), 1, MAX_RUNTIME_CALLS),
    runtimeId: runtimeIdOf({ text: values['runtime-id'] ?? `runtime-${systemIds().slice(0, 8)}`, place: '--runtime-id' }),
    businessCodes: codesOf(given('business-codes', 'CALLOUT_RUNTIME_BUSINESS_CODES', '')),
    speed: numberOf(given('speed', 'CALLOUT_RUNTIME_SPEED', '1'), 0.1, 1_000),
    voicemailRate: numberOf(given('voicemail-rate', 'CALLOUT_RUNTIME_VOICEMAIL', '0.04'), 0, 1),
    seed: integerOf(given('seed', 'CALLOUT_RUNTIME_SEED', randomSeed()), 0, MAX_SEED),
    recordings: given('recordings', 'CALLOUT_RUNTIME_RECORDINGS', '').text,
    voice: voiceOf(given('voice', 'CALLOUT_RUNTIME_VOICE', ''), env['CALLOUT_SWITCH_PASSWORD'] || 'ClueCon'),
    logLevel: choiceOf({ text: env['CALLOUT_LOG_LEVEL'] || 'info', place: 'CALLOUT_LOG_LEVEL' }, LOG_LEVELS),
  };
}

function runtimeIdOf(setting: RoleSetting): string {
  if (!runtimeIdText.safeParse(setting.text).success) throw new WrongSettingError(setting, 'at most 64 letters, digits, - and _');
  return setting.text;
}

function codesOf(setting: RoleSetting): string[] {
  if (setting.text === '') return [];
  const codes = poolMember.shape.businessCodes.unwrap().safeParse(setting.text.split(',').map(code => code.trim()));
  if (!codes.success) throw new WrongSettingError(setting, 'business codes, separated by commas');
  return codes.data;
}

function voiceOf(setting: RoleSetting, password: string): VoiceTarget | null {
  if (setting.text === '') return null;
  const [, host = '', port = ''] = /^([\w.-]{1,253}):(\d{1,5})$/.exec(setting.text) ?? [];
  if (host === '') throw new WrongSettingError(setting, 'HOST:PORT of a simulated switch');
  return { host, port: integerOf({ ...setting, text: port }, 1, 65_535), password };
}

function addressOf({ text, place }: RoleSetting): string {
  const isAddress = text === '' || text.split(',').every(part => Boolean(URL.parse(part.includes('://') ? part : `nats://${part}`)?.host));
  if (!isAddress) throw new WrongSettingError({ text: text.replaceAll(CREDENTIALS, '//'), place }, 'an address');
  return text;
}

function untilSignal(): Promise<null> {
  return new Promise(resolve => {
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(128 + 15);
        resolve(null);
      });
    }
  });
}
