import { Migration } from '@mikro-orm/migrations';

/**
 * The way to the last event of a dependency.
 *
 * Why:    what went down is told to be back once, however many instances saw it (D14.3); each looks for what was told last
 */
export class Migration20261122220000EventsOfADependency extends Migration {
  override up(): void {
    this.addSql(`create index runtime_event_dependency on runtime_event ((detail->>'name'), type, id)
      where type in ('dependency.down', 'dependency.up')`);
  }
}
