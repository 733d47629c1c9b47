import { Migration } from '@mikro-orm/migrations';

/**
 * Index for the latest event of a cell.
 *
 * Why:    a recovery is reported once, however many instances notice it (D14.3): each checks what was reported last
 */
export class Migration20261122210000EventsOfACell extends Migration {
  override up(): void {
    this.addSql(`create index runtime_event_cell on runtime_event (cell_id, type, id) where cell_id is not null`);
  }
}
