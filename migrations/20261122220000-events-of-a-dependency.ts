import { Migration } from '@mikro-orm/migrations';

/**
 * Index for the latest event of a dependency.
 *
 * Why:    a recovery is reported once, however many instances notice it (D14.3): each checks what was reported last
 */
export class Migration20261122220000EventsOfADependency extends Migration {
  override up(): void {
    this.addSql(`create index runtime_event_dependency on runtime_event ((detail->>'name'), type, id)
      where type in ('dependency.down', 'dependency.up')`);
  }
}
