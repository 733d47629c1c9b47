import { sql } from 'kysely';
import type { Contact } from '#ports/records.ts';

/** Columns of a contact under the names of the record `Contact`; the table's alias is `k`. */
export const CONTACT_COLUMNS = sql<Contact>`
  k.id, k.campaign_id as "campaignId", k.phone_number as "phoneNumber", k.customer_name as "customerName", k.remark, k.metadata, k.priority,
  k.status, k.attempt_count as "attemptCount", k.retry_at as "retryAt", k.last_attempt_id as "lastAttemptId", k.hold_reason as "holdReason",
  k.hold_until as "holdUntil", k.created_at as "createdAt", k.updated_at as "updatedAt"`;
