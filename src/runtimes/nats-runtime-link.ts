import { isAnswerTimeout } from '#platform/nats/signals.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import type { JsonObject } from '#kernel/json.ts';
import { type CommandAnswer, commandAnswer } from '#protocol/hand-over.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import { commandSubject, POOL_ROLL_CALL_SUBJECT, poolSubject, START_PROBE_SUBJECT } from '#protocol/subjects.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { ProbeAnswer, RuntimeLink } from './runtime-link.ts';

/** Time-out for a runtime's reply to a command, ms. */
const COMMAND_TIMEOUT_MS = 3_000;

/** Time-out for the reply to an offered call; short, because a customer is waiting. ms */
const START_TIMEOUT_MS = 1_000;

/** Time-out of a probe; without subscribers the bus replies at once, ms. */
const PROBE_TIMEOUT_MS = 500;

/** Time-out for the reply of the runtime that has the call, ms. */
const PING_TIMEOUT_MS = 500;

export function natsRuntimeLink(bus: Bus, clock: Pick<Clock, 'now'>): RuntimeLink {
  let since = bus.isConnected() ? 0 : null;
  bus.onChange(isConnected => {
    since = isConnected ? clock.now() : null;
  });
  return {
    // `isConnected` is current; `onChange` reports a lost connection later, so `since` may be stale.
    reachableSince: () => (bus.isConnected() ? since : null),
    async start(runtimeId, requestId, body) {
      const subject = runtimeId === null ? commandSubject(requestId, 'start') : poolSubject(runtimeId, 'start');
      const answer = await bus.request(subject, body, START_TIMEOUT_MS).catch(() => null);
      const reply = parseUntrusted(commandAnswer, answer);
      if (!reply.success) return 'unanswered';
      if (reply.data.ok) return 'accepted';
      return reply.data.code === 'INVALID' ? 'refused' : 'declined';
    },
    release: (runtimeId, release) => bus.publish(poolSubject(runtimeId, 'release'), release),
    requestHeartbeats: () => bus.publish(POOL_ROLL_CALL_SUBJECT, {}),
    async listens() {
      if (!bus.isConnected()) return null;
      const answer = await probe(bus, START_PROBE_SUBJECT);
      return answer === 'answers' || bus.isConnected() ? answer === 'answers' : null;
    },
    probe: runtimeId => probe(bus, poolSubject(runtimeId, 'start')),
    hears: requestId => isHeard(bus, commandSubject(requestId, 'ping')),
    async command(requestId, name, body) {
      const answer = await order(bus, requestId, name, body);
      // Full, draining, or not its call: another runtime may accept the next attempt.
      if (!answer.ok) throw new CalloutError('BUS_UNAVAILABLE', `话术引擎未接受 ${name}：${answer.code}`, { cause: answer });
    },
    order: (requestId, name, body) => order(bus, requestId, name, body),
    async holder(requestId) {
      const answer = await bus.request(commandSubject(requestId, 'ping'), {}, PING_TIMEOUT_MS).catch(() => null);
      const reply = parseUntrusted(commandAnswer, answer);
      return reply.success && reply.data.ok ? { runtimeId: reply.data.runtimeId ?? null, epoch: reply.data.epoch ?? null } : null;
    },
  };
}

async function order(bus: Bus, requestId: string, name: string, body: JsonObject): Promise<CommandAnswer> {
  const reply = parseUntrusted(commandAnswer, await bus.request(commandSubject(requestId, name), body, COMMAND_TIMEOUT_MS));
  if (reply.success) return reply.data;
  throw new CalloutError('BUS_UNAVAILABLE', `话术引擎对 ${name} 的应答不是 CommandAnswer`, { cause: reply.error });
}

/** A runtime that serves customers refuses a `start` without a call; one that accepts it must identify itself. */
async function probe(bus: Bus, subject: string): Promise<ProbeAnswer> {
  try {
    const reply = parseUntrusted(commandAnswer, await bus.request(subject, {}, START_TIMEOUT_MS));
    return reply.success && (!reply.data.ok || reply.data.runtimeId !== undefined) ? 'answers' : 'silent';
  } catch (error) {
    return isAnswerTimeout(error) || !bus.isConnected() ? 'silent' : 'absent';
  }
}

/** The bus reports missing subscribers at once; a subscriber that does not reply may be anything. Null: unknown. */
async function isHeard(bus: Bus, subject: string): Promise<boolean | null> {
  if (!bus.isConnected()) return null;
  return bus.request(subject, {}, PROBE_TIMEOUT_MS).then(
    () => true,
    (error: unknown) => {
      if (isAnswerTimeout(error)) return null;
      return bus.isConnected() ? false : null;
    },
  );
}
