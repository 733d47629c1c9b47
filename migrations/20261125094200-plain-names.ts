import { Migration } from '@mikro-orm/migrations';

/** The agent that a conference should have is preferred, not wished for; a runtime event says what variables were left out, no column. */
export class Migration20261125094200PlainNames extends Migration {
  override up(): void {
    this.addSql('alter table conference_session rename column wished_agent_id to preferred_agent_id');
    this.addSql('alter table conference_session rename column only_wished to only_preferred');
    this.addSql('alter table campaign drop column left_out_variables_told');
  }
}
