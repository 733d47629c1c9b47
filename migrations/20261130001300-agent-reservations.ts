import { Migration } from '@mikro-orm/migrations';

/**
 * The call that holds an agent stands beside each state of that call, so that a loss of the cache does not take it; of a wrap-up alone it marks
 * the hour of its call.
 *
 * Source: D12.7, D14.6
 */
export class Migration20261130001300AgentReservations extends Migration {
  override up(): void {
    this.addSql('alter table agent_state rename column wrap_up to reservation');
    this.addSql(`
      create or replace function mark_call_of_wrap_up() returns trigger language plpgsql as $$
      begin
        perform mark_call_of_attempt(substr(w.reservation->>'currentCall', 9)::bigint) from (
          select s.state, s.reservation from agent_state s where s.agent_id = new.agent_id and (s.created_at, s.id) <= (new.created_at, new.id)
          order by s.created_at desc, s.id desc limit 2) w
        where w.state = 'wrap_up' and w.reservation->>'currentCall' ~ '^attempt:[0-9]{1,18}$';
        return null;
      end $$`);
  }
}
