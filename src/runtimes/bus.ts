import type { Cancel, Clock } from '#kernel/clock.ts';
import { errorFields, isCalloutError } from '#kernel/errors.ts';
import { limitedLog } from '#kernel/log.ts';
import type { Bus, BusMessage } from '#platform/nats/bus.ts';
import { proofFault, type ProofGate, requireProven } from '#platform/nats/proof.ts';
import { parseRequest } from '#platform/nats/requests.ts';
import { POOL_BEAT_MS, POOL_GONE_MS, type PoolAnswer, poolBye, poolMember, RUNTIME_CONTRACT } from '#protocol/pool.ts';
import { POOL_BEAT_SUBJECT, POOL_BYE_SUBJECT, POOL_HELLO_SUBJECT } from '#protocol/subjects.ts';
import { registerRuntime } from './watch-runtimes.ts';
import type { RuntimePoolPart } from './runtime-pool.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { Platform } from '#platform/platform.ts';

interface Freshness {
  /** Whether a message that arrives now was sent just now. */
  isFresh(): boolean;
  stop(): void;
}

const TICK_MS = 500;
/** Longer than a busy process takes between two ticks, in ms. */
const STOOD_STILL_MS = 3_000;
/** Upper bound of the time in which messages that queued up during a stall are read, in ms. */
const BURST_MS = 1_000;

/**
 * Distinguishes current messages from those that queued up while this process was stalled.
 *
 * Why: after a stall the process reads at once everything that arrived meanwhile, and the senders may be gone by then
 */
export function watchFreshness(clock: Pick<Clock, 'monotonic' | 'schedule'>): Freshness {
  let tickedAt = clock.monotonic();
  let freshFrom = tickedAt;
  let cancel: Cancel = clock.schedule(TICK_MS, tick);
  function tick(): void {
    const now = clock.monotonic();
    if (now - tickedAt > STOOD_STILL_MS) freshFrom = now + BURST_MS;
    tickedAt = now;
    cancel = clock.schedule(TICK_MS, tick);
  }
  return {
    isFresh() {
      const now = clock.monotonic();
      return now >= freshFrom && now - tickedAt <= STOOD_STILL_MS;
    },
    stop: () => cancel(),
  };
}

/** An answer before the server's time is added. */
type Answer = DistributiveOmit<PoolAnswer, 'serverTime'>;
type DistributiveOmit<Union, Name extends PropertyKey> = Union extends unknown ? Omit<Union, Name> : never;

type RuntimeBusApp = RuntimePoolPart & RuntimeEventsPart & ProofGate & Pick<Platform, 'wake' | 'clock' | 'log'>;

/**
 * Serves registration, heartbeats and goodbyes of runtimes. Returns a function that stops it.
 *
 * Why:    every instance receives every heartbeat, so that a stalled one cannot swallow them. What an instance reads after a stall proves
 *         no longer that the runtime is alive: it stays unanswered, and the runtime sends it again
 * Source: A4 `callout.v1.runtime-pool`
 */
export function serveRuntimePool(given: RuntimeBusApp, bus: Bus): () => void {
  const app = { ...given, log: limitedLog(given.log, given.clock) };
  const freshness = watchFreshness(given.clock);
  const serve = (subject: string, work: (body: unknown) => Promise<Answer>) =>
    bus.subscribe(subject, {}, message => {
      if (freshness.isFresh()) void answer(app, message, work);
    });
  const stops = [
    serve(POOL_HELLO_SUBJECT, body => join(app, body)),
    serve(POOL_BEAT_SUBJECT, body => join(app, body)),
    serve(POOL_BYE_SUBJECT, body => leave(app, body)),
  ];
  return () => {
    freshness.stop();
    for (const stop of stops) stop();
  };
}

async function join(app: RuntimeBusApp, body: unknown): Promise<Answer> {
  const member = parseRequest(poolMember, body);
  if (member.contract < RUNTIME_CONTRACT.oldest) {
    const msg = `契约版本 ${member.contract} 过旧，本服务器支持 ${RUNTIME_CONTRACT.oldest} 至 ${RUNTIME_CONTRACT.newest}`;
    return { ok: false, code: 'UNSUPPORTED_CONTRACT', msg };
  }
  await registerRuntime(app, member);
  return welcome(member.contract);
}

async function leave(app: RuntimeBusApp, body: unknown): Promise<Answer> {
  await app.pool.bye(parseRequest(poolBye, body).runtimeId);
  return welcome(RUNTIME_CONTRACT.newest);
}

/** Agrees on the newest contract version that both sides support. */
function welcome(contract: number): Answer {
  return { ok: true, contract: Math.min(contract, RUNTIME_CONTRACT.newest), beatEveryMs: POOL_BEAT_MS, goneAfterMs: POOL_GONE_MS };
}

/** Adds the server's time, by which the runtime then signs, because its own clock may be wrong. */
async function answer(app: RuntimeBusApp, message: BusMessage, work: (body: unknown) => Promise<Answer>): Promise<void> {
  const respond = (said: Answer) => message.respond?.({ ...said, serverTime: app.clock.now() });
  try {
    const fault = proofFault(app, message);
    if (fault === 'stale') return respond({ ok: false, code: 'STALE_PROOF', msg: 'Callout-Time 与 serverTime 相差超过 60 秒' });
    requireProven(fault);
    respond(await work(message.body));
  } catch (error) {
    app.log.warn({ ...errorFields(error), subject: message.subject }, 'a runtime could not register');
    respond(failure(error));
  }
}

function failure(error: unknown): Answer {
  if (!isCalloutError(error) || error.retryable) return { ok: false, code: 'UNAVAILABLE', msg: '暂不可用，请稍后重试' };
  return { ok: false, code: 'INVALID', msg: error.message };
}
