import { sql } from 'kysely';
import { notFound } from '#kernel/errors.ts';
import type { Sql } from '#platform/postgres/database.ts';
import type { EndpointHealth } from './decisions/delivery-plan.ts';
import type { EndpointKind, Webhook } from './webhook.ts';

/** Most endpoints of an installation. */
export const MAX_ENDPOINTS = 200;
const MAX_COUNTED = 10_000;

/** `waiting` is counted up to a bound. */
const COLUMNS = sql`e.id, e.name, e.kind, e.url, e.recipients, e.sender, e.username, e.types, e.campaign_ids, e.min_level, e.status,
  e.disabled_reason, e.secret <> '' as has_secret, case when e.previous_until > now() then e.previous_until end as previous_until,
  e.failing_since, e.failures, e.last_error, case when e.rest_until > now() then e.rest_until end as rest_until, e.last_delivered_at,
  (select count(*)::int from (
    select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'waiting' limit ${MAX_COUNTED}) as counted) as waiting,
  e.created_at, e.updated_at`;

/** All endpoints, the oldest first. Source: D15.1 */
export function listWebhooks({ db }: { db: Pick<Sql, 'rows'> }): Promise<Webhook[]> {
  return db.rows(sql<Webhook>`select ${COLUMNS} from webhook_endpoint e order by e.id limit ${MAX_ENDPOINTS}`);
}

/** Errors: NOT_FOUND */
export async function getWebhook(db: Pick<Sql, 'first'>, id: number): Promise<Webhook> {
  const found = await db.first(sql<Webhook>`select ${COLUMNS} from webhook_endpoint e where e.id = ${id}`);
  if (found === undefined) throw notFound('推送端点');
  return found;
}

/** An endpoint as it is delivered to; the secrets are sealed, of the previous one only while it signs. */
export interface Endpoint {
  id: number;
  name: string;
  kind: EndpointKind;
  url: string;
  recipients: string[];
  sender: string;
  username: string;
  secret: string;
  previousSecret: string | null;
  failingSince: number | null;
  failures: number;
}

const DELIVERED_TO = sql`e.id, e.name, e.kind, e.url, e.recipients, e.sender, e.username, e.secret,
  case when e.previous_until > now() then e.previous_secret end as previous_secret, e.failing_since, e.failures`;

/** Errors: NOT_FOUND */
export async function getEndpoint(db: Pick<Sql, 'first'>, id: number): Promise<Endpoint> {
  const found = await db.first(sql<Endpoint>`select ${DELIVERED_TO} from webhook_endpoint e where e.id = ${id}`);
  if (found === undefined) throw notFound('推送端点');
  return found;
}

/** How long a server that has died keeps others from its endpoints. */
const LEASE = sql`interval '20 seconds'`;

/** Takes or keeps the endpoints that nobody else delivers to; returns how many. Each is one server's: its messages are in order. */
export function leaseEndpoints(db: Pick<Sql, 'run'>, token: string): Promise<number> {
  return db.run(sql`
    update webhook_endpoint set lease_token = ${token}::uuid, lease_until = now() + ${LEASE}
    where status = 'enabled' and (lease_token = ${token}::uuid or lease_until is null or lease_until < now())`);
}

export async function leaveEndpoints(db: Pick<Sql, 'run'>, token: string): Promise<void> {
  await db.run(sql`update webhook_endpoint set lease_token = null, lease_until = null where lease_token = ${token}::uuid`);
}

/** Endpoints of this server that have a message due and do not rest. */
export function dueEndpoints(db: Pick<Sql, 'rows'>, token: string): Promise<Endpoint[]> {
  return db.rows(sql<Endpoint>`
    select ${DELIVERED_TO} from webhook_endpoint e
    where e.lease_token = ${token}::uuid and e.status = 'enabled' and (e.rest_until is null or e.rest_until <= now())
      and exists (select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'waiting' and d.due_at <= now())
    order by e.id`);
}

/** `reason`: why it is disabled, where it is. */
export async function saveHealth(
  db: Pick<Sql, 'run'>,
  endpointId: number,
  { failures, restMs, isDisabled, ...health }: EndpointHealth & { lastError: string | null; reason: string },
): Promise<void> {
  const failingSince = sql`to_timestamp(${health.failingSince}::float8 / 1000)`;
  await db.run(sql`
    update webhook_endpoint set failing_since = ${failingSince}, failures = ${failures}, last_error = coalesce(${health.lastError}, last_error),
      rest_until = case when ${restMs}::float8 > 0 then now() + ${restMs}::float8 * interval '1 millisecond' end,
      last_delivered_at = case when ${failures} = 0 then now() else last_delivered_at end,
      status = case when ${isDisabled} then 'disabled' else status end,
      disabled_reason = case when ${isDisabled} then ${health.reason} else disabled_reason end
    where id = ${endpointId}`);
}
