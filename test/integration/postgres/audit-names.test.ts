import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { AUDITED_ACTIONS } from '#audit/audited-actions.ts';
import { migrationRig } from './migration-rig.ts';

const NAME = '20261123100000-audit-names-and-filters';
/** Old rows, with their current names. */
const ROWS: readonly [string, object | null, string][] = [
  ['campaign.dispatch', null, 'campaign.dispatched'],
  ['batch.cancel', null, 'batch.cancelled'],
  ['contact.retry', null, 'contact.retried'],
  ['attempt.delete', null, 'attempt.deleted'],
  ['policy.create', null, 'policy.created'],
  ['policy.update', null, 'policy.updated'],
  ['policy.delete', null, 'policy.deleted'],
  ['do_not_call.add', null, 'do_not_call.added'],
  ['do_not_call.remove', null, 'do_not_call.removed'],
  ['script.create', null, 'script.created'],
  ['script.update', null, 'script.updated'],
  ['script.delete', null, 'script.deleted'],
  ['call.hungup', null, 'call.hung_up'],
  ['softphone_session.hold', null, 'softphone_session.held'],
  ['softphone_session.resume', null, 'softphone_session.resumed'],
  ['softphone_session.dtmf', null, 'softphone_session.digits_sent'],
  ['softphone_session.transfer', null, 'softphone_session.transferred'],
  ['campaign.updated', { changed: [], status: 'running', statusBefore: 'draft' }, 'campaign.started'],
  ['campaign.updated', { changed: [], status: 'paused', statusBefore: 'running' }, 'campaign.paused'],
  ['campaign.updated', { changed: [], status: 'archived', statusBefore: 'paused' }, 'campaign.archived'],
  ['campaign.updated', { changed: ['name'], status: 'running', statusBefore: 'running' }, 'campaign.updated'],
  ['line.updated', null, 'line.updated'],
];

const rig = migrationRig(NAME);

test('rows that were written under an earlier name get the current one, and keep their times [D3.7]', async () => {
  const db = rig.db();
  await db.run(sql`drop index audit_log_actor, audit_log_actor_name, audit_log_action, audit_log_target, audit_log_time`);
  for (const [action, detail] of ROWS)
    await db.run(sql`
      insert into audit_log (actor_name, action, target_type, summary, detail, updated_at)
      values ('a', ${action}, 't', 's', ${JSON.stringify(detail)}::jsonb, '2026-01-01')`);
  await rig.migrate();
  const rows = await db.rows(sql<{ action: string; at: number }>`select action, updated_at as at from audit_log order by id`);
  expect(rows.map(({ action }) => action)).toEqual(ROWS.map(([, , name]) => name));
  expect(rows.filter(({ action }) => !(AUDITED_ACTIONS as readonly string[]).includes(action))).toEqual([]);
  expect(new Set(rows.map(({ at }) => at)).size).toBe(1);
});
