import { TimeoutError } from '@nats-io/transport-node';
import { CalloutError } from '#kernel/errors.ts';
import { commandAnswer } from '#protocol/commands.ts';
import { parseUntrusted } from '#kernel/parse-untrusted.ts';
import {
  commandSubject,
  LIVE_SUBJECTS,
  liveSubject,
  POOL_ROLL_CALL_SUBJECT,
  poolSubject,
  RUNTIME_EVENTS_SUBJECT,
  START_PROBE_SUBJECT,
  wakeSubject,
  WAKE_SUBJECTS,
} from '#protocol/subjects.ts';
import type { Bus, Wake } from './bus.ts';
import type { LiveDelta, LiveDeltas } from '../feeds/live-deltas.ts';
import type { RuntimeEventSignals } from '#runtime-events/runtime-event-store.ts';
import type { ProbeAnswer, RuntimeLink } from '#runtimes/runtime-link.ts';

/** Time-out for a runtime's reply to a command, ms. */
const COMMAND_TIMEOUT_MS = 3_000;
/** Time-out for the reply to an offered call; short, because a customer is waiting. ms */
const START_TIMEOUT_MS = 1_000;
/** Time-out of a probe; without subscribers the bus replies at once, ms. */
const PROBE_TIMEOUT_MS = 500;
/** Time-out for the reply of the runtime that has the call, ms. */
const PING_TIMEOUT_MS = 500;

/**
 * Wakes the schedulers of every instance; this instance is notified through its own subscription.
 *
 * Why: without the bus this instance is notified directly. Other instances' signals are lost then, so a reconnection wakes all campaigns
 */
export function natsWakes(bus: Bus): {
  wake: Wake;
  listen: (listener: (campaignId: number | null) => void) => () => void;
} {
  const listeners = new Set<(campaignId: number | null) => void>();
  return {
    wake: {
      campaign(campaignId) {
        if (bus.isConnected()) bus.publish(wakeSubject(campaignId), {});
        else for (const listener of listeners) listener(campaignId);
      },
    },
    listen(listener) {
      listeners.add(listener);
      const stopHearing = bus.subscribe(WAKE_SUBJECTS, {}, ({ subject }) => {
        const id = Number(subject.slice(subject.lastIndexOf('.') + 1));
        listener(Number.isInteger(id) ? id : null);
      });
      const stopWatching = bus.onChange(isUp => {
        if (isUp) listener(null);
      });
      return () => {
        listeners.delete(listener);
        stopHearing();
        stopWatching();
      };
    },
  };
}

export function natsRuntimeLink(bus: Bus): RuntimeLink {
  return {
    isReachable: () => bus.isConnected(),
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
      const answer = await bus.request(commandSubject(requestId, name), body, COMMAND_TIMEOUT_MS);
      const reply = parseUntrusted(commandAnswer, answer);
      if (!reply.success)
        throw new CalloutError('BUS_UNAVAILABLE', `话术运行时对 ${name} 的应答不是 CommandAnswer`, { cause: reply.error });
      // Full, draining, or not its call: another runtime may accept the next attempt.
      if (!reply.data.ok) throw new CalloutError('BUS_UNAVAILABLE', `话术运行时未接受 ${name}：${reply.data.code}`, { cause: reply.data });
    },
    async holder(requestId) {
      const answer = await bus.request(commandSubject(requestId, 'ping'), {}, PING_TIMEOUT_MS).catch(() => null);
      const reply = parseUntrusted(commandAnswer, answer);
      return reply.success && reply.data.ok ? { runtimeId: reply.data.runtimeId ?? null, epoch: reply.data.epoch ?? null } : null;
    },
  };
}

/** A runtime that serves customers refuses a `start` without a call; one that accepts it must identify itself. */
async function probe(bus: Bus, subject: string): Promise<ProbeAnswer> {
  try {
    const reply = parseUntrusted(commandAnswer, await bus.request(subject, {}, START_TIMEOUT_MS));
    return reply.success && (!reply.data.ok || reply.data.runtimeId !== undefined) ? 'answers' : 'silent';
  } catch (error) {
    const isTimeout = error instanceof Error && error.cause instanceof TimeoutError;
    return isTimeout || !bus.isConnected() ? 'silent' : 'absent';
  }
}

/** The bus reports missing subscribers at once; a subscriber that does not reply may be anything. Null: unknown. */
async function isHeard(bus: Bus, subject: string): Promise<boolean | null> {
  if (!bus.isConnected()) return null;
  return bus.request(subject, {}, PROBE_TIMEOUT_MS).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && error.cause instanceof TimeoutError) return null;
      return bus.isConnected() ? false : null;
    },
  );
}

export function natsLiveDeltas(bus: Bus): LiveDeltas {
  return {
    publish(delta) {
      const subject = liveSubject(delta.campaignId, null, delta.requestId, delta.kind);
      // Captions are displayed at once; waiting status updates of the call leave together with them, first.
      if (delta.kind === 'segment') bus.publish(subject, delta);
      else bus.publishCalmly(subject, delta);
    },
    subscribe: listener =>
      bus.subscribe(LIVE_SUBJECTS, {}, ({ body }) => {
        if (isDelta(body)) listener(body);
      }),
  };
}

export function natsRuntimeEventSignals(bus: Bus): RuntimeEventSignals {
  return {
    publish: () => bus.publish(RUNTIME_EVENTS_SUBJECT, {}),
    subscribe: listener => bus.subscribe(RUNTIME_EVENTS_SUBJECT, {}, () => listener()),
  };
}

/** Only servers publish here; a body of any other shape is dropped. */
function isDelta(body: unknown): body is LiveDelta {
  return typeof body === 'object' && body !== null && 'requestId' in body && 'version' in body && 'kind' in body && 'campaignId' in body;
}
