import { Migration } from '@mikro-orm/migrations';

/**
 * Which event of the switch a conference's members were counted by, and whether its recording has failed.
 *
 * Why:    the switch's clock ticks 20 ms: several events of one conference carry one time stamp, and only their sequence tells which is newer.
 *         A recording that the switch could not write is not asked for again
 */
export class Migration20261123092000RoomsAsTheSwitchTells extends Migration {
  override up(): void {
    this.addSql(
      `alter table conference_session add counted_core text, add counted_sequence bigint, add recording_failed boolean not null default false`,
    );
  }
}
