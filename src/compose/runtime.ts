import { parseArgs } from 'node:util';
import { pickCustomer } from '#companions/runtime/customer/pick-customer.ts';
import { connectLink, type NatsLink } from '#companions/runtime/nats-link.ts';
import { circuitBreaker } from '#companions/runtime/nlu/circuit-breaker.ts';
import { nluClient } from '#companions/runtime/nlu/nlu-client.ts';
import { createUnderstanding } from '#companions/runtime/nlu/understanding.ts';
import { createOutbox } from '#companions/runtime/report-outbox.ts';
import { type CallFlowRuntime, startRuntime } from '#companions/runtime/runtime.ts';
import { createScriptSource } from '#companions/runtime/script-source.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import { randomInt, systemRandom } from '#kernel/random.ts';
import type { Command } from './command.ts';
import { createLog } from './log.ts';

const HELP = `Usage: npm run runtime -- [options]

The reference call-flow runtime: takes answered calls from the server over NATS, walks their scripts with simulated customers, reports results.
Its contract is served by the server at /docs/nats.

  --nats-url U          address of NATS                   CALLOUT_NATS_URL              nats://127.0.0.1:4222
  --nlu-url U           NLU service; empty: keywords      CALLOUT_NLU_URL
                        token of the NLU service          CALLOUT_NLU_TOKEN
  --nlu-timeout-ms N    one question to the NLU service   CALLOUT_NLU_TIMEOUT_MS        2000
  --max-calls N         calls at once                     CALLOUT_RUNTIME_MAX_CALLS     2000
  --speed F             people talk F times faster        CALLOUT_RUNTIME_SPEED         1
  --voicemail-rate R    share of mailboxes, 0 to 1        CALLOUT_RUNTIME_VOICEMAIL     0.04
  --seed N              same seed, same customers         CALLOUT_RUNTIME_SEED          random
  --help
`;

const OPTIONS = {
  'nats-url': { type: 'string' },
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
  nluUrl: string;
  nluToken: string;
  nluTimeoutMs: number;
  maxCalls: number;
  speed: number;
  voicemailRate: number;
  seed: number;
  logLevel: string;
}

const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;
const MAX_SEED = 4_294_967_295;
/** Live calls get this long on SIGTERM, ms. */
const DRAIN_MS = 10_000;
/** The NLU service is left alone after so many failures in a row, for this long. */
const BREAKER = { failures: 5, pauseMs: 10_000 };
/** A log line names the address, never the password in it. */
const CREDENTIALS = /\/\/[^@/]*@/g;

class UsageError extends Error {}

/**
 * The reference call-flow runtime until SIGTERM or SIGINT; a second signal ends it at once.
 *
 * Errors: exit code 64 on a wrong flag, 69 when NATS is absent at start
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
    if (!(error instanceof UsageError || error instanceof TypeError)) throw error;
    process.stderr.write(`callout runtime: ${error.message}\n`);
    return EX_USAGE;
  }
};

async function run(settings: Settings): Promise<number> {
  const runtimeId = `runtime-${systemIds().slice(0, 8)}`;
  const log = createLog({ level: settings.logLevel, instanceId: runtimeId });
  const address = settings.natsUrl.replaceAll(CREDENTIALS, '//');
  const link = await connect(settings.natsUrl, runtimeId, log);
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
async function connect(url: string, name: string, log: Log): Promise<NatsLink | string> {
  try {
    return await connectLink({ url, name }, log);
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

/** A flag wins over the environment; an empty variable counts as absent. */
function settingsOf(values: Values, env: NodeJS.ProcessEnv): Settings {
  const given = (flag: keyof Values, variable: string, fallback: string) => values[flag] ?? (env[variable] || fallback);
  return {
    natsUrl: address('nats-url', given('nats-url', 'CALLOUT_NATS_URL', 'nats://127.0.0.1:4222')),
    nluUrl: address('nlu-url', given('nlu-url', 'CALLOUT_NLU_URL', '')),
    nluToken: env['CALLOUT_NLU_TOKEN'] ?? '',
    nluTimeoutMs: number('nlu-timeout-ms', given('nlu-timeout-ms', 'CALLOUT_NLU_TIMEOUT_MS', '2000'), {
      min: 50,
      max: 60_000,
      whole: true,
    }),
    maxCalls: number('max-calls', given('max-calls', 'CALLOUT_RUNTIME_MAX_CALLS', '2000'), { min: 1, max: 100_000, whole: true }),
    speed: number('speed', given('speed', 'CALLOUT_RUNTIME_SPEED', '1'), { min: 0.1, max: 1_000 }),
    voicemailRate: number('voicemail-rate', given('voicemail-rate', 'CALLOUT_RUNTIME_VOICEMAIL', '0.04'), { min: 0, max: 1 }),
    seed: number('seed', given('seed', 'CALLOUT_RUNTIME_SEED', String(randomInt(systemRandom, 0, MAX_SEED))), {
      min: 0,
      max: MAX_SEED,
      whole: true,
    }),
    logLevel: env['CALLOUT_LOG_LEVEL'] || 'info',
  };
}

function address(flag: string, text: string): string {
  const isAddress = text === '' || text.split(',').every(part => Boolean(URL.parse(part.includes('://') ? part : `nats://${part}`)?.host));
  if (!isAddress) throw new UsageError(`--${flag} must be an address, found "${text.replaceAll(CREDENTIALS, '//')}"`);
  return text;
}

function number(flag: string, text: string, { min, max, whole = false }: { min: number; max: number; whole?: boolean }): number {
  const value = (whole ? /^\d{1,10}$/ : /^\d{0,6}\.?\d{1,6}$/).test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new UsageError(`--${flag} must be ${whole ? 'an integer' : 'a number'} from ${min} to ${max}, found "${text}"`);
  return value;
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
