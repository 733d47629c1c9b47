import { sql } from 'kysely';
import { audit, type AuditPart } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { toInstant } from '#kernel/fields.ts';
import type { Platform } from '#platform/platform.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { requireRow } from '#platform/postgres/listing.ts';
import { instant, json, texts } from '#platform/postgres/values.ts';
import { type DeliverApp, isForPeople, type MessageWithData, sendToPeople, sendToProgram } from './deliver.ts';
import { recordTries } from './delivery-store.ts';
import { type Endpoint, getEndpoint, getWebhook } from './endpoint-store.ts';
import { DELIVERY_TABLE } from './list-deliveries.ts';
import type { WebhookDelivery, WebhookReplay } from './webhook.ts';

type TestApp = DeliverApp & AuditPart & Pick<Platform, 'db' | 'ids'>;

const TEST = { title: 'Callout 测试消息', text: '这是一条测试消息：收到即表示推送端点可用。', link: null };

/**
 * Sends a test to an endpoint at once and says what came of it; it is tried once, also where the endpoint is paused or rests.
 *
 * Errors: NOT_FOUND
 * Source: D15.5
 */
export async function testWebhook(app: TestApp, caller: Caller, id: number): Promise<WebhookDelivery> {
  const endpoint = await getEndpoint(app.db, id);
  const message = await insertTest(app, id);
  const { isDelivered, ...sent } = await send(app, endpoint, message);
  // It ends either way: a test is not repeated.
  await recordTries(app.db, [{ id: message.id, sequence: 1, state: isDelivered ? 'delivered' : 'given_up', pauseMs: 0, ...sent }]);
  const summary = `测试推送端点「${endpoint.name}」`;
  await audit(app, caller, { action: 'webhook.tested', targetType: 'webhook', targetId: id, summary, detail: { isDelivered } });
  return requireRow(app, DELIVERY_TABLE, message.id, '投递');
}

/** Due far away, so that the queue leaves it alone. */
async function insertTest({ db, ids }: Pick<TestApp, 'db' | 'ids'>, endpointId: number): Promise<MessageWithData> {
  const row = await db.first(sql<{ id: number; messageId: string; createdAt: number }>`
    insert into webhook_delivery (endpoint_id, type, key, subject, due_at)
    values (${endpointId}, 'webhook.test', ${`test:${ids()}`}, ${json(TEST)}, now() + interval '1 day') returning id, message_id, created_at`);
  if (row === undefined) throw new Error('an inserted row is returned');
  return { ...row, type: 'webhook.test', key: `test:${row.id}`, sequence: 1, subject: TEST, tries: 0, data: TEST };
}

function send(app: TestApp, endpoint: Endpoint, message: MessageWithData) {
  return isForPeople(endpoint) ? sendToPeople(app, endpoint, [message]) : sendToProgram(app, endpoint, message);
}

type ReplayApp = AuditPart & { timeZone: string } & Pick<Platform, 'db'>;

/** Most messages that one replay queues; a longer range is replayed in parts. */
const MAX_REPLAYED = 50_000;

/**
 * Queues the messages of a range again, with their ids and numbers: a receiver that knows them leaves them out.
 *
 * Errors: NOT_FOUND; INVALID_ARGUMENT naming `to`
 * Source: D15.5
 */
export async function replayWebhook(app: ReplayApp, caller: Caller, id: number, input: WebhookReplay): Promise<{ queued: number }> {
  const from = toInstant(input.from, app.timeZone);
  const to = toInstant(input.to, app.timeZone);
  if (to <= from) throw invalidArgument('to', 'laterThan', { other: 'from' });
  const { name } = await getWebhook(app.db, id);
  const queued = await queueAgain(app.db, id, { from, to, types: input.types ?? null, onlyFailed: input.onlyFailed });
  const summary = `重放推送端点「${name}」的 ${queued} 条消息`;
  const detail = { from: input.from, to: input.to, types: input.types ?? null, onlyFailed: input.onlyFailed, queued };
  await audit(app, caller, { action: 'webhook.replayed', targetType: 'webhook', targetId: id, summary, detail });
  return { queued };
}

interface Range {
  from: number;
  to: number;
  types: readonly string[] | null;
  onlyFailed: boolean;
}

function queueAgain(db: Pick<Sql, 'run'>, endpointId: number, { from, to, types, onlyFailed }: Range): Promise<number> {
  const states = onlyFailed ? ['given_up'] : ['delivered', 'given_up'];
  return db.run(sql`
    update webhook_delivery set state = 'waiting', tries = 0, due_at = now(), queued_at = now()
    where id in (
      select id from webhook_delivery
      where endpoint_id = ${endpointId} and state = any(${texts(states)}) and type <> 'webhook.test'
        and created_at >= ${instant(from)} and created_at < ${instant(to)} ${types === null ? sql`` : sql`and type = any(${texts([...types])})`}
      order by id limit ${MAX_REPLAYED})`);
}
