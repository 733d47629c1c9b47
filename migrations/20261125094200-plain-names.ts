import { Migration } from '@mikro-orm/migrations';

/** Renames `wished_agent_id` to `preferred_agent_id`, and drops the column of omitted variables, which a runtime event reports. */
export class Migration20261125094200PlainNames extends Migration {
  override up(): void {
    this.addSql('alter table conference_session rename column wished_agent_id to preferred_agent_id');
    this.addSql('alter table conference_session rename column only_wished to only_preferred');
    this.addSql('alter table campaign drop column left_out_variables_told');
  }
}
