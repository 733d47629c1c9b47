import { Migration } from '@mikro-orm/migrations';

/**
 * The way to the last event of a cell.
 *
 * Why:    what went down is told to be back once, however many instances saw it (D14.3); each looks for what was told last
 */
export class Migration20261122210000EventsOfACell extends Migration {
  override up(): void {
    this.addSql(`create index runtime_event_cell on runtime_event (cell_id, type, id) where cell_id is not null`);
  }
}
