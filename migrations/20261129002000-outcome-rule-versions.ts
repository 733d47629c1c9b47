import { Migration } from '@mikro-orm/migrations';

/**
 * A campaign that returns to the rules of all campaigns, and the text that is left on a mailbox.
 *
 * Why:    versions are only added, so that an attempt always finds the rule that decided about it; a removal is therefore a version, too
 * Source: D7.14
 */
export class Migration20261129002000OutcomeRuleVersions extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table outcome_rules add inherits boolean not null default false,
     add constraint outcome_rules_inherit check (not inherits or (rules is null and campaign_id is not null))`,
  `alter table contact add mailbox_text text`,
];
