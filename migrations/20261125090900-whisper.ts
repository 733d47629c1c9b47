import { Migration } from '@mikro-orm/migrations';

/** Allows whispering: a supervisor speaks with the agent only. Source: OCS 4.15, D12.6 */
export class Migration20261125090900Whisper extends Migration {
  override up(): void {
    this.addSql('alter table leg drop constraint leg_mode_check');
    this.addSql(
      `alter table leg add constraint leg_mode_check check (mode in ('transfer','blind','consult','listen','whisper','barge','session'))`,
    );
  }
}
