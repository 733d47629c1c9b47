import { type Clock, sleep } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { POOL_BEAT_MS, type PoolAnswer, poolAnswer, type PoolMember } from '#contract/nats/runtime-pool.ts';
import { POOL_BEAT_SUBJECT, POOL_BYE_SUBJECT, POOL_HELLO_SUBJECT } from '#contract/nats/subjects.ts';
import { isUnheard, type NatsLink } from './nats-link.ts';

export interface RegistrationDeps {
  link: Pick<NatsLink, 'request' | 'goBy'>;
  clock: Clock;
  log: Log;
  /** What the runtime says of itself now. */
  member(): PoolMember;
  /** A server knows it: calls are addressed to it from now on. */
  onRegistered(): void;
  /** Nobody registers runtimes: an older server, or none. Told until somebody does. */
  onUnheard(): void;
}

export interface Registration {
  /** Settles when the first hello came to something: an answer, a failure, or the news that nobody listens. */
  firstHello: Promise<void>;
  /** Settles with the server's words when it will not have this runtime. */
  refused: Promise<string>;
  /** Says at once what has changed. */
  beatNow(): void;
  /** Stops, and tells the server; calls that are left go to others. */
  bye(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 2_000;
/** After a request that nobody answered in time. */
const RETRY_MS = 1_000;
/** The server says how often it wants to hear; inside these bounds. */
const BEAT_MS = { min: 100, max: 10_000 };
const BYE_ATTEMPTS = 3;

/** Says hello until a server answers, then that it is there, as often as the server wants. Source: A4 */
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

  /** How long until the next word; null: there is none. */
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

  /** At once the first time: the answer has told the server's time. */
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
    if (!isFailing) log.warn({ err: error }, 'no server has answered that this runtime is there: it goes on saying so');
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

/** The server notices by itself after a while that nobody beats. */
async function sayBye(deps: RegistrationDeps): Promise<void> {
  const { runtimeId } = deps.member();
  for (let attempt = 1; attempt <= BYE_ATTEMPTS; attempt++) {
    try {
      await ask(deps, POOL_BYE_SUBJECT, { runtimeId });
      return;
    } catch (error) {
      if (attempt === BYE_ATTEMPTS) deps.log.warn({ err: error }, 'nobody took the goodbye');
    }
  }
}
