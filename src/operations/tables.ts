import { sql } from 'kysely';
import { AGENT_COLUMNS, AGENT_GROUP_COLUMNS } from '#adapters/postgres/agent-repository.ts';
import { ATTEMPT_COLUMNS } from '#adapters/postgres/attempt-columns.ts';
import { CAMPAIGN_COLUMNS } from '#adapters/postgres/campaign-columns.ts';
import { CONTACT_COLUMNS } from '#adapters/postgres/contact-columns.ts';
import type { Line } from '#model/line.ts';
import type { Table } from './listing.ts';

const LINE_COLUMNS = sql<Line>`
  l.id, l.name, l.code, l.dial_string_template as "dialStringTemplate", l.caller_id_number as "callerIdNumber", l.caller_id_name as "callerIdName",
  l.max_concurrency as "maxConcurrency", l.allocation_mode as "allocationMode", l.caller_id_header_mode as "callerIdHeaderMode",
  l.is_enabled as "isEnabled", l.description, l.created_at as "createdAt", l.updated_at as "updatedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'number', n.number, 'weight', n.weight, 'maxConcurrency', n.max_concurrency,
     'isEnabled', n.is_enabled) order by n.position, n.id), '[]') from line_number n where n.line_id = l.id) as numbers`;

/** What is read by id. */
export const TABLES = {
  agent: { columns: AGENT_COLUMNS, from: sql`agent`, id: sql`id`, exists: sql`deleted_at is null` },
  agentGroup: { columns: AGENT_GROUP_COLUMNS, from: sql`agent_group`, id: sql`id`, exists: sql`deleted_at is null` },
  attempt: { columns: ATTEMPT_COLUMNS, from: sql`attempt a`, id: sql`a.id`, exists: sql`a.deleted_at is null` },
  campaign: { columns: CAMPAIGN_COLUMNS, from: sql`campaign c`, id: sql`c.id`, exists: sql`c.deleted_at is null` },
  contact: { columns: CONTACT_COLUMNS, from: sql`contact k`, id: sql`k.id`, exists: sql`k.deleted_at is null` },
  line: { columns: LINE_COLUMNS, from: sql`line l`, id: sql`l.id`, exists: sql`l.deleted_at is null` },
} satisfies Record<string, Table<unknown>>;
