import { sql } from 'kysely';
import type { Campaign } from '#model/campaign.ts';

/** Columns of a campaign under the names of the record `Campaign`; the table's alias is `c`. */
export const CAMPAIGN_COLUMNS = sql<Campaign>`
  c.id, c.name, c.business_code as "businessCode", c.cell_id as "cellId", c.max_concurrency as "maxConcurrency", c.max_retries as "maxRetries",
  c.retry_interval_seconds as "retryIntervalSeconds", c.call_interval_ms as "callIntervalMs",
  c.retry_answered_without_result as "retryAnsweredWithoutResult", c.workday_start as "workdayStart",
  c.workday_end as "workdayEnd", c.scheduled_start_at as "scheduledStartAt", c.scheduled_end_at as "scheduledEndAt",
  c.business_config as "businessConfig", c.description, c.status, c.phase, c.phase_reason as "phaseReason", c.next_wake_at as "nextWakeAt",
  c.created_at as "createdAt", c.updated_at as "updatedAt",
  array(select cl.line_id from campaign_line cl join line l on l.id = cl.line_id and l.deleted_at is null
        where cl.campaign_id = c.id order by cl.position) as "lineIds"`;
