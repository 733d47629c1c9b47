import { sleep } from '#kernel/clock.ts';
import { runRounds } from '#kernel/rounds.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { GIVE_UP_AFTER_MS, healthAfter, isGone, messagePauseMs } from './decisions/delivery-plan.ts';
import { type DeliverApp, isForPeople, type MessageWithData, type Sent, sendToPeople, sendToProgram } from './deliver.ts';
import {
  type DueMessage,
  giveUpOld,
  hurryWaiting,
  recordTries,
  removeOld,
  removeOrphans,
  takeDue,
  type TryOutcome,
} from './delivery-store.ts';
import { dueEndpoints, type Endpoint, leaseEndpoints, leaveEndpoints, saveHealth } from './endpoint-store.ts';
import { readData } from './read-subjects.ts';

/** Interval at which a server looks for messages of its endpoints, ms. */
const LOOK_MS = 250;
/** Interval at which it renews its leases and takes endpoints of servers that are gone, ms. */
const LEASE_EVERY_MS = 5_000;
const UPKEEP_MS = 60_000;
/** Messages in flight to one program. */
const TOGETHER = 32;
/** Events that one message to people tells. */
const EVENTS_TO_PEOPLE = 100;
/** Pause between two messages to people: robots take some 20 a minute. */
const PEOPLE_PAUSE_MS = 3_500;

export interface WebhookSettings {
  /** How long the log keeps what has ended. */
  webhookKeepDays: number;
}

export type RunApp = DeliverApp & WebhookSettings & RuntimeEventsPart & Pick<Platform, 'db' | 'clock' | 'random' | 'ids' | 'log'>;

/**
 * Delivers to the endpoints that this server holds, each at its own pace, until the signal aborts.
 *
 * Why:    the queue is the table that the event's own transaction has written: a server that dies loses nothing, and another one goes on after
 *         its lease. A receiver that is slow or dead holds up only itself; while it rests it costs one statement in 250 ms
 * Source: D15.3
 */
export async function runWebhooks(app: RunApp, signal: AbortSignal): Promise<void> {
  const token = app.ids();
  const busy = new Map<number, Promise<unknown>>();
  let held = 0;
  const lease = async () => void (held = await leaseEndpoints(app.db, token));
  const look = async () => {
    if (held === 0) return;
    for (const endpoint of await dueEndpoints(app.db, token)) {
      if (!busy.has(endpoint.id))
        busy.set(
          endpoint.id,
          serve(app, endpoint, signal).finally(() => busy.delete(endpoint.id)),
        );
    }
  };
  await Promise.all([
    runRounds(app, { intervalMs: LEASE_EVERY_MS, failure: 'endpoints could not be leased; tried again' }, signal, lease),
    runRounds(app, { intervalMs: LOOK_MS, failure: 'messages to endpoints could not be read; tried again' }, signal, look),
    runRounds(app, { intervalMs: UPKEEP_MS, failure: 'the log of endpoints could not be cleared; tried again' }, signal, () => upkeep(app)),
  ]);
  await Promise.all(busy.values());
  await leaveEndpoints(app.db, token).catch(() => undefined);
}

async function upkeep({ db, webhookKeepDays }: RunApp): Promise<void> {
  await giveUpOld(db);
  await removeOrphans(db);
  await removeOld(db, webhookKeepDays);
}

/** Never rejects: a failed round is tried again when the endpoint is looked at next. */
async function serve(app: RunApp, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  try {
    // Another round follows only where nothing has failed.
    for (let now = endpoint; !signal.aborted && (await deliverRound(app, now)); now = { ...now, failures: 0, failingSince: null }) {
      if (isForPeople(endpoint)) await sleep(app.clock, PEOPLE_PAUSE_MS, signal);
    }
  } catch (error) {
    app.log.warn({ err: error, endpointId: endpoint.id }, 'a round of messages could not be kept; it is sent again');
    await sleep(app.clock, LEASE_EVERY_MS, signal);
  }
}

/** Whether there may be more at once. */
async function deliverRound(app: RunApp, endpoint: Endpoint): Promise<boolean> {
  const wasFailing = endpoint.failures > 0;
  const most = isForPeople(endpoint) ? EVENTS_TO_PEOPLE : wasFailing ? 1 : TOGETHER;
  const due = await takeDue(app.db, endpoint.id, most);
  if (due.length === 0) return false;
  const outcomes = await sendAll(app, endpoint, due);
  await recordTries(app.db, outcomes);
  await noteHealth(app, endpoint, outcomes);
  return !outcomes.some(({ state }) => state === 'waiting') && (wasFailing || due.length === most);
}

async function sendAll(app: RunApp, endpoint: Endpoint, due: readonly DueMessage[]): Promise<TryOutcome[]> {
  const data = await readData(app.db, due);
  const messages = due.flatMap(message => withData(message, data.get(message.id) ?? null));
  const sent = await sendMessages(app, endpoint, messages);
  return due.map(message => {
    const result = sent.get(message.id);
    return result === undefined ? dropped(message) : outcomeOf(app, message, result);
  });
}

function withData(message: DueMessage, data: MessageWithData['data'] | null): MessageWithData[] {
  return data === null ? [] : [{ ...message, data }];
}

/** Sends messages and returns the outcome of each, by message id. */
async function sendMessages(app: RunApp, endpoint: Endpoint, messages: readonly MessageWithData[]): Promise<Map<number, Sent>> {
  if (messages.length === 0) return new Map();
  if (isForPeople(endpoint)) {
    const sent = await sendToPeople(app, endpoint, messages);
    return new Map(messages.map(({ id }) => [id, sent]));
  }
  return new Map(await Promise.all(messages.map(async message => [message.id, await sendToProgram(app, endpoint, message)] as const)));
}

function outcomeOf({ random }: Pick<RunApp, 'random'>, { id, sequence, tries }: DueMessage, sent: Sent): TryOutcome {
  const { isDelivered, ...rest } = sent;
  return {
    id,
    sequence,
    ...rest,
    state: isDelivered ? 'delivered' : 'waiting',
    pauseMs: isDelivered ? 0 : messagePauseMs(tries + 1, random),
  };
}

/** Drops a message whose record no longer exists, for example because the person was erased. */
function dropped({ id, sequence }: DueMessage): TryOutcome {
  return { id, sequence, state: 'dropped', pauseMs: 0, statusCode: null, error: null, answer: null, tookMs: null };
}

async function noteHealth(app: RunApp, endpoint: Endpoint, outcomes: readonly TryOutcome[]): Promise<void> {
  const { succeeded, failed } = countOf(outcomes);
  if (succeeded + failed.length === 0) return;
  const { failingSince, failures } = endpoint;
  const round = { at: app.clock.now(), succeeded, isGone: failed.some(({ statusCode }) => isGone(statusCode)), failingSince, failures };
  const health = healthAfter(round, app.random);
  const reason = round.isGone ? 'gone' : 'failing';
  await saveHealth(app.db, endpoint.id, { ...health, lastError: failed[0]?.error ?? null, reason });
  if (failures > 0 && succeeded > 0) await hurryWaiting(app.db, endpoint.id);
  if (health.isDisabled) await recordDisabled(app, endpoint, reason);
}

/** Messages whose data are gone say nothing about their receiver. */
function countOf(outcomes: readonly TryOutcome[]) {
  return {
    succeeded: outcomes.filter(({ state }) => state === 'delivered').length,
    failed: outcomes.filter(({ state }) => state === 'waiting'),
  };
}

/** Source: D15.3, D14.3 webhook.disabled */
async function recordDisabled({ events, ids }: RunApp, { id, name }: Endpoint, reason: 'gone' | 'failing'): Promise<void> {
  await events.record({
    level: 'error',
    type: 'webhook.disabled',
    title: `推送端点「${name}」已停用`,
    message: reason === 'gone' ? '接收方答复 410：不再接收' : '连续五天没有一次送达；修复后请重新启用，并按时间段重放',
    detail: { endpointId: id, reason, giveUpAfterHours: GIVE_UP_AFTER_MS / 3_600_000 },
    dedupeKey: `webhook.disabled:${id}:${ids()}`,
  });
}
