import { sql } from 'kysely';
import type { Batch } from '#ports/records.ts';

/** Columns of `batch` under the names of the record. */
export const BATCH_COLUMNS = sql<Batch>`
  id, campaign_id as "campaignId", status, source, requested_limit as "requestedLimit", effective_limit as "effectiveLimit", requested, submitted,
  failed, created_by as "createdBy", finished_at as "finishedAt", created_at as "createdAt", updated_at as "updatedAt"`;
