import { Migration } from '@mikro-orm/migrations';

/**
 * Version and last commands of a conference's actor: the row is its snapshot, and the version the fence of each commit.
 *
 * Why:    a commit that only asks for effects is no change of the conference, so `updated_at` stays as it was
 * Source: A3, D12.5
 */
export class Migration20261129002600ConferenceActors extends Migration {
  override up(): void {
    this.addSql(`alter table conference_session
      add column actor_version int not null default 0, add column actor_commands text[] not null default '{}'`);
    this.addSql('drop trigger conference_session_touch on conference_session');
    this.addSql(`create trigger conference_session_touch before update of conference_name, kind, status, request_id, attempt_id, campaign_id,
        customer_uuid, cell_id, customer_state, preferred_agent_id, only_preferred, group_id, intervention_id, reason, tried_agent_ids,
        member_count, counted_at, recording_url, answered_at, ended_at, end_cause, counted_core, counted_sequence, recording_failed
      on conference_session for each row execute function touch_row()`);
  }
}
