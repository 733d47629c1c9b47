import { parseArgs } from 'node:util';
import { pickCustomer } from '#companions/runtime/customer/pick-customer.ts';
import { connectLink, isRefusal, type NatsLink } from '#companions/runtime/nats-link.ts';
import { circuitBreaker } from '#companions/runtime/nlu/circuit-breaker.ts';
import { nluClient } from '#companions/runtime/nlu/nlu-client.ts';
import { createUnderstanding } from '#companions/runtime/nlu/understanding.ts';
import { createOutbox } from '#companions/runtime/report-outbox.ts';
import { type CallFlowRuntime, startRuntime } from '#companions/runtime/runtime.ts';
import { createScriptSource } from '#companions/runtime/script-source.ts';
import { patiently } from '#kernel/backoff.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import { randomInt, systemRandom } from '#kernel/random.ts';
import type { Command } from './command.ts';
import { LOG_LEVELS } from './config/shape.ts';
import { createLog } from './log.ts';
import { choiceOf, integerOf, numberOf, type RoleSetting, settingOf, WrongSettingError } from './role-setting.ts';

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
  --speed F             people talk F times faster        CALLOUT_RUNTIME_SPEED         1
  --voicemail-rate R    share of mailboxes, 0 to 1        CALLOUT_RUNTIME_VOICEMAIL     0.04
  --seed N              same seed, same customers         CALLOUT_RUNTIME_SEED          random
                        fatal, error, warn, info, debug   CALLOUT_LOG_LEVEL             info
  --help

SIGTERM or SIGINT drains: live calls get 10 s; a second signal ends it at once.
Exit codes: 0 stopped, 64 arguments, 69 NATS does not answer, 78 a wrong variable
`;

const OPTIONS = {
  'nats-url': { type: 'string' },
  'nats-wait-ms': { type: 'string' },
  'nlu-url': { type: 'string' },
  'nlu-timeout-ms': { type: 'string' },
  'max-calls': { type: 'string' },
  speed: { type: 'string' },
  'voicemail-rate': { type: 'string' },
  seed: { type: 'string' },
  help: { type: 'boolean' },
} as const;

interface Settings {
  natsUrl: string;
  natsWaitMs: number;
  internalToken: string;
  nluUrl: string;
  nluToken: string;
  nluTimeoutMs: number;
  maxCalls: number;
  speed: number;
  voicemailRate: number;
  seed: number;
  logLevel: string;
}

/** Between two tries to reach NATS at the start, ms. */
const NATS_PAUSE_MS = 250;
const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;
const MAX_SEED = 4_294_967_295;
/** Live calls get this long on SIGTERM, ms. */
const DRAIN_MS = 10_000;
/** The NLU service is left alone after so many failures in a row, for this long. */
const BREAKER = { failures: 5, pauseMs: 10_000 };
/** A log line names the address, never the password in it. */
const CREDENTIALS = /\/\/[^@/]*@/g;

/**
 * The reference call-flow runtime until SIGTERM or SIGINT; a second signal ends it at once.
 *
 * Errors: exit code 64 on a wrong flag, 69 when NATS stays away at the start, 78 on a wrong variable
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
  const runtimeId = `runtime-${systemIds().slice(0, 8)}`;
  const log = createLog({ level: settings.logLevel, instanceId: runtimeId });
  const address = settings.natsUrl.replaceAll(CREDENTIALS, '//');
  const link = await connect(settings, runtimeId, log);
  if (typeof link === 'string') {
    process.stderr.write(`callout runtime: NATS does not answer on ${address} (CALLOUT_NATS_URL): ${link}\n`);
    return EX_UNAVAILABLE;
  }
  const running = compose(settings, { link, runtimeId, log });
  await link.flush();
  const nlu = settings.nluUrl === '' ? 'keywords' : settings.nluUrl;
  process.stdout.write(`callout runtime: takes calls from ${address}, at most ${settings.maxCalls}, understands by ${nlu}\n`);
  await untilSignal();
  log.info({ liveCalls: running.liveCalls() }, 'draining');
  await running.drain(DRAIN_MS);
  await link.close();
  return 0;
}

/** The link, or why there is none. */
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

function compose(settings: Settings, { link, runtimeId, log }: { link: NatsLink; runtimeId: string; log: Log }): CallFlowRuntime {
  const { nluUrl: url, nluToken: token, nluTimeoutMs: timeoutMs, maxCalls, speed } = settings;
  const base = { link, clock: systemClock, random: systemRandom, log };
  const client = url === '' ? null : nluClient({ url, token, timeoutMs }, systemClock);
  return startRuntime({
    ...base,
    runtimeId,
    maxCalls,
    speed,
    outbox: createOutbox(base),
    scripts: createScriptSource(link, systemClock),
    understanding: createUnderstanding({ client, breaker: circuitBreaker(systemClock, BREAKER), log }),
    customerOf: brief => pickCustomer(brief, settings),
  });
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
    maxCalls: integerOf(given('max-calls', 'CALLOUT_RUNTIME_MAX_CALLS', '2000'), 1, 100_000),
    speed: numberOf(given('speed', 'CALLOUT_RUNTIME_SPEED', '1'), 0.1, 1_000),
    voicemailRate: numberOf(given('voicemail-rate', 'CALLOUT_RUNTIME_VOICEMAIL', '0.04'), 0, 1),
    seed: integerOf(given('seed', 'CALLOUT_RUNTIME_SEED', randomSeed()), 0, MAX_SEED),
    logLevel: choiceOf({ text: env['CALLOUT_LOG_LEVEL'] || 'info', place: 'CALLOUT_LOG_LEVEL' }, LOG_LEVELS),
  };
}

function addressOf({ text, place }: RoleSetting): string {
  const isAddress = text === '' || text.split(',').every(part => Boolean(URL.parse(part.includes('://') ? part : `nats://${part}`)?.host));
  if (!isAddress) throw new WrongSettingError({ text: text.replaceAll(CREDENTIALS, '//'), place }, 'an address');
  return text;
}

function untilSignal(): Promise<void> {
  return new Promise(resolve => {
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) process.exit(128 + 15);
        resolve();
      });
    }
  });
}
