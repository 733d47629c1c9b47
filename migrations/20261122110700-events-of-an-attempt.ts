import { Migration } from '@mikro-orm/migrations';

/** Index for a call's timeline, which reads the runtime events of its attempt. */
export class Migration20261122110700EventsOfAnAttempt extends Migration {
  override up(): void {
    this.addSql('create index runtime_event_attempt on runtime_event (attempt_id, id) where attempt_id is not null');
  }
}
