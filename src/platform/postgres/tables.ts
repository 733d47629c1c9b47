import { sql } from 'kysely';
import { columnsOf } from './columns-of.ts';
import { agentGroup } from '#agents/agent-group.ts';
import { auditRow } from '#audit/audit-row.ts';
import { batch } from '#attempts/batch.ts';
import { doNotCallEntry } from '#do-not-call/do-not-call.ts';
import { CONTACT_COLUMNS } from '#contacts/contact-columns.ts';
import { AGENT_COLUMNS } from '#agents/agent-store.ts';
import { ATTEMPT_COLUMNS } from '#attempts/attempt-columns.ts';
import { CAMPAIGN_COLUMNS } from '#campaigns/campaign-columns.ts';
import { type Line, line } from '#lines/line.ts';
import { runtimeEvent } from '#runtime-events/runtime-event.ts';
import { policy } from '#policies/policy.ts';
import { script, type ScriptVersion } from '#scripts/script.ts';
import { SOFTPHONE_COLUMNS } from '#agent-calls/softphone-columns.ts';
import { user } from '#users/user.ts';
import type { Table } from './listing.ts';

const LINE_COLUMNS = sql<Line>`
  ${columnsOf(line.omit({ numbers: true }), 'l')},
  (select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'number', n.number, 'weight', n.weight, 'maxConcurrency', n.max_concurrency,
     'isEnabled', n.is_enabled) order by n.position, n.id), '[]') from line_number n where n.line_id = l.id) as numbers`;

/** Tables whose rows are read by id. */
export const TABLES = {
  agent: { columns: AGENT_COLUMNS, from: sql`agent`, id: sql`id`, exists: sql`deleted_at is null` },
  agentGroup: { columns: columnsOf(agentGroup), from: sql`agent_group`, id: sql`id`, exists: sql`deleted_at is null` },
  attempt: { columns: ATTEMPT_COLUMNS, from: sql`attempt a`, id: sql`a.id`, exists: sql`a.deleted_at is null` },
  auditRow: { columns: columnsOf(auditRow), from: sql`audit_log`, id: sql`id`, exists: sql`true` },
  batch: { columns: columnsOf(batch), from: sql`batch`, id: sql`batch.id`, exists: sql`true` },
  campaign: { columns: CAMPAIGN_COLUMNS, from: sql`campaign c`, id: sql`c.id`, exists: sql`c.deleted_at is null` },
  contact: { columns: CONTACT_COLUMNS, from: sql`contact k`, id: sql`k.id`, exists: sql`k.deleted_at is null` },
  doNotCallEntry: { columns: columnsOf(doNotCallEntry, 'd'), from: sql`do_not_call d`, id: sql`d.id`, exists: sql`true` },
  line: { columns: LINE_COLUMNS, from: sql`line l`, id: sql`l.id`, exists: sql`l.deleted_at is null` },
  policy: { columns: columnsOf(policy), from: sql`policy`, id: sql`id`, exists: sql`true` },
  runtimeEvent: { columns: columnsOf(runtimeEvent, 'e'), from: sql`runtime_event e`, id: sql`e.id`, exists: sql`true` },
  script: {
    columns: sql<ScriptVersion>`${columnsOf(script, 's')}, v.hash, v.body`,
    from: sql`script s join script_version v on v.script_id = s.id and v.version = s.current_version`,
    id: sql`s.id`,
    exists: sql`s.deleted_at is null`,
  },
  softphoneCall: { columns: SOFTPHONE_COLUMNS, from: sql`softphone_call s`, id: sql`s.id`, exists: sql`true` },
  user: { columns: columnsOf(user), from: sql`app_user`, id: sql`id`, exists: sql`deleted_at is null` },
} satisfies Record<string, Table<unknown>>;
