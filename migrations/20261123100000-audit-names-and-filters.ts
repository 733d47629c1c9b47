import { Migration } from '@mikro-orm/migrations';

/** Stored name → the one name of the action. */
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

/** A campaign's move was an update that had another status than before. */
const MOVES = `(values ('running', 'campaign.started'), ('paused', 'campaign.paused'), ('archived', 'campaign.archived')) as moved (status, name)`;

/**
 * One naming of audited actions, `noun.verbed`, and the ways into the table by whom, what, to what and when.
 *
 * Why:    each page is the newest rows of one filter, so every index ends with the id; an instant is found by `audit_log_time` and bounds the ids
 */
export class Migration20261123100000AuditNamesAndFilters extends Migration {
  override up(): void {
    // A row keeps its times: what it tells of has not changed.
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
