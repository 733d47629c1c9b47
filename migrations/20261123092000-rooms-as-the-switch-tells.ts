import { Migration } from '@mikro-orm/migrations';

/**
 * Records which switch event a conference's member count comes from, and whether its recording has failed.
 *
 * Why:    the switch's clock has a resolution of 20 ms: several events of a conference may have the same timestamp, and only the sequence
 *         number orders them. A recording that the switch could not write is not requested again
 */
export class Migration20261123092000RoomsAsTheSwitchTells extends Migration {
  override up(): void {
    this.addSql(
      `alter table conference_session add counted_core text, add counted_sequence bigint, add recording_failed boolean not null default false`,
    );
  }
}
