import { type Clock, sleep } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { POOL_BEAT_MS, type PoolAnswer, poolAnswer, type PoolMember } from '#protocol/pool.ts';
import { POOL_BEAT_SUBJECT, POOL_BYE_SUBJECT, POOL_HELLO_SUBJECT } from '#protocol/subjects.ts';
import { isUnheard, type NatsLink } from './nats-link.ts';

export interface RegistrationDeps {
  link: Pick<NatsLink, 'request' | 'goBy'>;
  clock: Clock;
  log: Log;
  /** Current state of the runtime, as reported to the server. */
  member(): PoolMember;
  /** Called when a server has registered the runtime: it addresses calls to it from now on. */
  onRegistered(): void;
  /** Called on each attempt while no server registers runtimes: it is an older one, or there is none. */
  onUnheard(): void;
}

export interface Registration {
  /** Settles when the first hello has an outcome: a response, a failure, or no responder. */
  firstHello: Promise<void>;
  /** Resolves to the server's message when it refuses this runtime. */
  refused: Promise<string>;
  /** Reports a change at once. */
  beatNow(): void;
  /** Stops and deregisters; the server gives the remaining calls to other runtimes. */
  bye(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 2_000;
/** Pause after a request without a response in time, in ms. */
const RETRY_MS = 1_000;
/** Bounds of the beat interval that the server requests, in ms. */
const BEAT_MS = { min: 100, max: 10_000 };
const BYE_ATTEMPTS = 3;

/** Sends hello until a server registers the runtime, then heartbeats at the interval that the server requests. Source: A4 */
export function register(deps: RegistrationDeps): Registration {
  const { clock, log } = deps;
  const first = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<string>();
  const stopping = new AbortController();
  let wake = new AbortController();
  let isKnown = false;
  let isFailing = false;

  let isSignedLate = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const pauseMs = await sayOnce();
      first.resolve();
      if (pauseMs === null) return;
      await sleep(clock, pauseMs, AbortSignal.any([stopping.signal, wake.signal]));
    }
  }

  /** Sends a hello or a heartbeat; resolves to the pause before the next one in ms, or to null when there is none. */
  async function sayOnce(): Promise<number | null> {
    try {
      const answer = await ask(deps, isKnown ? POOL_BEAT_SUBJECT : POOL_HELLO_SUBJECT, deps.member());
      isFailing = false;
      return answer.ok ? welcomed(answer.beatEveryMs) : turnedAway(answer);
    } catch (error) {
      return isUnheard(error) ? unheard() : failed(error);
    }
  }

  function welcomed(beatEveryMs: number): number {
    if (!isKnown) {
      isKnown = true;
      log.info({ beatEveryMs }, 'registered');
      deps.onRegistered();
    }
    return Math.min(BEAT_MS.max, Math.max(BEAT_MS.min, beatEveryMs));
  }

  function turnedAway({ code, msg }: Extract<PoolAnswer, { ok: false }>): number | null {
    if (code === 'UNAVAILABLE') return RETRY_MS;
    if (code === 'STALE_PROOF') return signLater();
    refused.resolve(`${code} ${msg}`);
    return null;
  }

  /** Retries at once the first time, because the response contained the server's time. */
  function signLater(): number {
    const pauseMs = isSignedLate ? RETRY_MS : 0;
    isSignedLate = true;
    return pauseMs;
  }

  function unheard(): number {
    isFailing = false;
    if (!isKnown) deps.onUnheard();
    return POOL_BEAT_MS;
  }

  function failed(error: unknown): number {
    if (!isFailing) log.warn({ err: error }, 'no server has acknowledged the registration; heartbeats continue');
    isFailing = true;
    return RETRY_MS;
  }

  void run();
  return {
    firstHello: first.promise,
    refused: refused.promise,
    beatNow: () => wake.abort(),
    async bye() {
      stopping.abort();
      if (isKnown) await sayBye(deps);
    },
  };
}

async function ask({ link }: RegistrationDeps, subject: string, body: object): Promise<PoolAnswer> {
  const answer = poolAnswer.parse(await link.request(subject, body, REQUEST_TIMEOUT_MS));
  if (answer.serverTime !== undefined) link.goBy(answer.serverTime);
  return answer;
}

/** Without a goodbye the server misses the heartbeats after a while. */
async function sayBye(deps: RegistrationDeps): Promise<void> {
  const { runtimeId } = deps.member();
  for (let attempt = 1; attempt <= BYE_ATTEMPTS; attempt++) {
    try {
      await ask(deps, POOL_BYE_SUBJECT, { runtimeId });
      return;
    } catch (error) {
      if (attempt === BYE_ATTEMPTS) deps.log.warn({ err: error }, 'no server accepted the sign-off');
    }
  }
}
