import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '#platform/postgres/database.ts';
import type { CampaignStatus } from '#campaigns/decisions/campaign-states.ts';
import type { BatchStatus } from '#attempts/batch.ts';
import type { ContactStatus } from '#contacts/contact.ts';
import type { AttemptStatus } from '#attempts/attempt.ts';
import { dialKey } from '#phone-numbers/dial-key.ts';

/** Inserts rows as the dispatcher would have left them, for tests that only read or edit them. Each function returns the row's id. */
export async function insertCampaign(
  db: Sql,
  fields: { name?: string; status?: CampaignStatus; workdayStart?: string; workdayEnd?: string } = {},
) {
  return idOf(
    db,
    sql`insert into campaign (name, business_code, status, max_concurrency, max_retries, retry_interval_seconds, call_interval_ms, workday_start, workday_end)
        values (${fields.name ?? '测试活动'}, 'demo', ${fields.status ?? 'draft'}, 10, 3, 600, 200, ${fields.workdayStart ?? null}, ${fields.workdayEnd ?? null})
        returning id`,
  );
}

export interface ContactRow {
  campaignId: number;
  phoneNumber?: string;
  status?: ContactStatus;
  attemptCount?: number;
  isRetryDue?: boolean;
  holdReason?: string | null;
}

let nextNumber = 13_800_000_000;

export async function insertContact(db: Sql, row: ContactRow) {
  const phoneNumber = row.phoneNumber ?? String(nextNumber++);
  return idOf(
    db,
    sql`insert into contact (campaign_id, phone_number, dial_key, status, attempt_count, retry_at, hold_reason)
        values (${row.campaignId}, ${phoneNumber}, ${dialKey(phoneNumber, 'CN')}, ${row.status ?? 'pending'},
                ${row.attemptCount ?? 0}, ${row.isRetryDue ? sql`now()` : null}, ${row.holdReason ?? null}) returning id`,
  );
}

export interface AttemptRow {
  campaignId: number;
  contactId: number;
  status?: AttemptStatus;
  callStatus?: string | null;
  emotionStatus?: string;
  batchId?: number | null;
  phoneNumber?: string;
  /** How long ago the claim and the dial happened, ms. */
  agoMs?: number;
  cellId?: string | null;
  payload?: unknown;
  recordingUrl?: string | null;
  /** Whether a completed attempt has its result; true by default. */
  hasResult?: boolean;
}

export async function insertAttempt(db: Sql, row: AttemptRow) {
  const at = sql`now() - ${row.agoMs ?? 0}::float8 * interval '1 millisecond'`;
  const phoneNumber = row.phoneNumber ?? '13800138000';
  const hasResult = row.hasResult ?? (row.status ?? 'completed') === 'completed';
  const id = await idOf(
    db,
    sql`insert into attempt (request_id, campaign_id, contact_id, batch_id, phone_number, dial_key, status, call_status, emotion_status, claimed_at,
                             dialing_at, cell_id, payload, recording_url, result_at)
        values (${randomUUID()}, ${row.campaignId}, ${row.contactId}, ${row.batchId ?? null}, ${phoneNumber}, ${dialKey(phoneNumber, 'CN')},
                ${row.status ?? 'completed'}, ${row.callStatus ?? null}, ${row.emotionStatus ?? 'none'}, ${at}, ${at}, ${row.cellId ?? null},
                ${JSON.stringify(row.payload ?? null)}::jsonb, ${row.recordingUrl ?? null}, case when ${hasResult} then ${at} end)
        returning id`,
  );
  await db.run(sql`update contact set last_attempt_id = ${id} where id = ${row.contactId}`);
  return id;
}

export interface BatchRow {
  campaignId: number;
  status?: BatchStatus;
  submitted?: number;
  failed?: number;
  startedAgoMs?: number;
  finishedAgoMs?: number | null;
}

export async function insertBatch(db: Sql, row: BatchRow) {
  const ago = (ms: number) => sql`now() - ${ms}::float8 * interval '1 millisecond'`;
  return idOf(
    db,
    sql`insert into batch (campaign_id, status, source, requested_limit, effective_limit, requested, submitted, failed, created_at, finished_at)
        values (${row.campaignId}, ${row.status ?? 'completed'}, 'auto', 50, 20, 20, ${row.submitted ?? 0}, ${row.failed ?? 0},
                ${ago(row.startedAgoMs ?? 0)}, ${typeof row.finishedAgoMs === 'number' ? ago(row.finishedAgoMs) : null})
        returning id`,
  );
}

async function idOf(db: Sql, insert: ReturnType<typeof sql>): Promise<number> {
  const row = await db.first(insert as ReturnType<typeof sql<{ id: number }>>);
  if (!row) throw new Error('an insert returned no row');
  return row.id;
}
