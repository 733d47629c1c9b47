import { Migration } from '@mikro-orm/migrations';

/** Final name of an action by stored name. */
const RENAMED: Readonly<Record<string, string>> = {
  'campaign.dispatch': 'campaign.dispatched',
  'batch.cancel': 'batch.cancelled',
  'contact.retry': 'contact.retried',
  'attempt.delete': 'attempt.deleted',
  'policy.create': 'policy.created',
  'policy.update': 'policy.updated',
  'policy.delete': 'policy.deleted',
  'do_not_call.add': 'do_not_call.added',
  'do_not_call.remove': 'do_not_call.removed',
  'script.create': 'script.created',
  'script.update': 'script.updated',
  'script.delete': 'script.deleted',
  'call.hungup': 'call.hung_up',
  'softphone_session.hold': 'softphone_session.held',
  'softphone_session.resume': 'softphone_session.resumed',
  'softphone_session.dtmf': 'softphone_session.digits_sent',
  'softphone_session.transfer': 'softphone_session.transferred',
};

/** A status change of a campaign was stored as an update with a different status. */
const MOVES = `(values ('running', 'campaign.started'), ('paused', 'campaign.paused'), ('archived', 'campaign.archived')) as moved (status, name)`;

/**
 * Consistent names of audited actions, `noun.verbed`, and indexes by actor, action, target and time.
 *
 * Why:    each page has the latest rows of one filter, so every index ends with the id; `audit_log_time` translates an instant into bounds
 *         of the id
 */
export class Migration20261123100000AuditNamesAndFilters extends Migration {
  override up(): void {
    // Keeps the timestamps: renaming an action does not change what happened.
    this.addSql(`alter table audit_log disable trigger audit_log_touch`);
    const names = Object.entries(RENAMED).map(([old, name]) => `('${old}', '${name}')`);
    this.addSql(
      `update audit_log a set action = renamed.name from (values ${names.join(', ')}) as renamed (old, name) where a.action = renamed.old`,
    );
    this.addSql(`update audit_log a set action = moved.name from ${MOVES}
      where a.action = 'campaign.updated' and a.detail->>'status' = moved.status and a.detail->>'status' <> a.detail->>'statusBefore'`);
    this.addSql(`alter table audit_log enable trigger audit_log_touch`);
    this.addSql(`create index audit_log_actor on audit_log (actor_id, id desc)`);
    this.addSql(`create index audit_log_actor_name on audit_log (actor_name, id desc)`);
    this.addSql(`create index audit_log_action on audit_log (action, id desc)`);
    this.addSql(`create index audit_log_target on audit_log (target_type, target_id, id desc)`);
    this.addSql(`create index audit_log_time on audit_log (created_at, id)`);
  }
}
