import { sql } from 'kysely';
import { columnsOf } from '#adapters/postgres/columns-of.ts';
import { contact } from '#model/contact.ts';
import { AGENT_COLUMNS, AGENT_GROUP_COLUMNS } from '#adapters/postgres/agent-repository.ts';
import { ATTEMPT_COLUMNS } from '#adapters/postgres/attempt-columns.ts';
import { CAMPAIGN_COLUMNS } from '#adapters/postgres/campaign-columns.ts';
import { type Line, line } from '#model/line.ts';
import type { Table } from './listing.ts';

const LINE_COLUMNS = sql<Line>`
  ${columnsOf(line.omit({ numbers: true }), 'l')},
  (select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'number', n.number, 'weight', n.weight, 'maxConcurrency', n.max_concurrency,
     'isEnabled', n.is_enabled) order by n.position, n.id), '[]') from line_number n where n.line_id = l.id) as numbers`;

/** What is read by id. */
export const TABLES = {
  agent: { columns: AGENT_COLUMNS, from: sql`agent`, id: sql`id`, exists: sql`deleted_at is null` },
  agentGroup: { columns: AGENT_GROUP_COLUMNS, from: sql`agent_group`, id: sql`id`, exists: sql`deleted_at is null` },
  attempt: { columns: ATTEMPT_COLUMNS, from: sql`attempt a`, id: sql`a.id`, exists: sql`a.deleted_at is null` },
  campaign: { columns: CAMPAIGN_COLUMNS, from: sql`campaign c`, id: sql`c.id`, exists: sql`c.deleted_at is null` },
  contact: { columns: columnsOf(contact, 'k'), from: sql`contact k`, id: sql`k.id`, exists: sql`k.deleted_at is null` },
  line: { columns: LINE_COLUMNS, from: sql`line l`, id: sql`l.id`, exists: sql`l.deleted_at is null` },
} satisfies Record<string, Table<unknown>>;
