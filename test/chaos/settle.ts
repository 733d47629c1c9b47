import { type ConsumerInfo, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import { sql } from 'kysely';
import { natsAddress } from '#protocol/address.ts';
import type { Database } from '#platform/postgres/database.ts';
import { SLOT_PREFIX } from '#platform/redis/keys.ts';
import type { Services } from '#tools/services/start-services.ts';
import { RUNTIME_CONSUMER, RUNTIME_STREAM } from '#protocol/subjects.ts';
import { sleep, systemClock } from '#kernel/clock.ts';

/** Unfinished work; all counts are 0 when the product has come to rest. */
export interface Remains {
  openAttempts: number;
  submittedContacts: number;
  slots: number;
  outbox: number;
  reports: number;
  /** Jobs that have not ended, and messages to receivers that wait. */
  jobs: number;
  deliveries: number;
}

const POLL_MS = 500;
const NANOS_PER_MS = 1_000_000;

/** Waits until nothing is unfinished, and returns what remains after `timeoutMs`. */
export async function comeToRest(
  services: Services,
  database: Database,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<Remains> {
  const deadline = systemClock.monotonic() + options.timeoutMs;
  for (;;) {
    const remains = await readRemains(services, database);
    const isOver = systemClock.monotonic() > deadline || options.signal.aborted;
    if (isOver || Object.values(remains).every(count => count === 0)) return remains;
    await sleep(systemClock, POLL_MS, options.signal);
  }
}

async function readRemains(services: Services, database: Database): Promise<Remains> {
  const rows = await database.first(sql<Omit<Remains, 'slots' | 'reports'>>`
    select (select count(*) from attempt where status in ('claimed', 'dialing', 'accepted', 'answered')) as "openAttempts",
      (select count(*) from contact where status = 'submitted') as "submittedContacts", (select count(*) from outbox) as outbox,
      (select count(*) from job where state in ('queued', 'running')) as jobs,
      (select count(*) from webhook_delivery where state = 'waiting') as deliveries`);
  if (!rows) throw new Error('counts have a row');
  const [slots, reports] = await Promise.all([countSlots(services.redisUrl), countReports(services.natsUrl)]);
  return { ...rows, slots, reports };
}

async function countSlots(url: string): Promise<number> {
  const redis = new Redis(url, { maxRetriesPerRequest: 20 });
  try {
    return (await redis.keys(`${SLOT_PREFIX}req:*`)).length;
  } finally {
    redis.disconnect();
  }
}

async function countReports(url: string): Promise<number> {
  const connection = await connect({ ...natsAddress(url), maxReconnectAttempts: 20 });
  try {
    const manager = await jetstreamManager(connection);
    const consumer = await manager.consumers.info(RUNTIME_STREAM, RUNTIME_CONSUMER);
    const { messages: kept } = (await manager.streams.info(RUNTIME_STREAM)).state;
    // After a kill, nats-server 2.9 restores acknowledged messages that it had not yet removed, and its consumers may keep counting removed
    // ones. A report that really remains is in both counts, so the smaller count hides none; while servers fetch reports, it is
    // redelivered.
    const left = Math.min(kept, consumer.num_pending + consumer.num_ack_pending);
    return left > 0 && isSilent(consumer) ? 0 : left;
  } finally {
    await connection.close();
  }
}

/** Whether servers are fetching reports and none has arrived for twice the redelivery delay. */
function isSilent({ num_waiting: waiting, delivered, config }: ConsumerInfo): boolean {
  const againMs = (config.ack_wait ?? Number.POSITIVE_INFINITY) / NANOS_PER_MS;
  return waiting > 0 && systemClock.now() - new Date(delivered.last_active ?? Number.NaN).getTime() > 2 * againMs;
}

/** An attempt as stored in PostgreSQL. */
export interface StoredAttempt {
  requestId: string;
  campaignId: number;
  phoneNumber: string;
  status: string;
  /** Time of the mark, at which the dial was decided, by the database's clock, UTC ms; null if it was never marked or was taken back. */
  dialingAt: number | null;
  hasResult: boolean;
  /** The mark that the runtime put into the result's payload. */
  mark: string | null;
}

const PAGE = 20_000;

export async function readAttempts(database: Database): Promise<StoredAttempt[]> {
  const all: StoredAttempt[] = [];
  for (let after = 0; ; ) {
    const page = await database.rows(sql<StoredAttempt & { id: number }>`
      select id, request_id as "requestId", campaign_id as "campaignId", phone_number as "phoneNumber", status, dialing_at as "dialingAt", result_at is not null as "hasResult", payload->>'mark' as mark
      from attempt where id > ${after} order by id limit ${PAGE}`);
    all.push(...page);
    if (page.length < PAGE) return all;
    after = page.at(-1)?.id ?? after;
  }
}

/** Number of contacts with more attempts counted than they had, not counting attempts without a runtime. */
export async function countBurned(database: Database): Promise<number> {
  const row = await database.first(sql<{ count: number }>`
    select count(*)::int as count from contact k where attempt_count > (
      select count(*) from attempt a where a.contact_id = k.id and a.status <> 'cancelled' and a.hangup_cause is distinct from 'RUNTIME_UNAVAILABLE')`);
  return row?.count ?? -1;
}
