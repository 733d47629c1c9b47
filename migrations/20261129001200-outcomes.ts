import { Migration } from '@mikro-orm/migrations';

/**
 * Outcomes of attempts with their evidence, and the rules that decide what follows them.
 *
 * Why:    `outcome_counts` and `parts_tried` are what the rules know of a contact, so that no decision reads its history
 * Source: D7.13, D7.14
 */
export class Migration20261129001200Outcomes extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table attempt add outcome text, add evidence jsonb, add constraint attempt_evidence_bounded check (length(evidence::text) <= 4096)`,
  `create index attempt_campaign_outcome on attempt (campaign_id, outcome, id desc) where outcome is not null and deleted_at is null`,
  `alter table contact add outcome_counts jsonb not null default '{}', add parts_tried smallint not null default 0`,
  // Without a campaign the rules are those of all campaigns that have none of their own. The newest version holds.
  `create table outcome_rules (
     id int generated always as identity primary key, campaign_id int references campaign on delete cascade, version int not null,
     rules jsonb, created_by int, created_at timestamptz(3) not null default now())`,
  `create unique index outcome_rules_version on outcome_rules (coalesce(campaign_id, 0), version desc)`,
  // A dial that was decided under older rules is refused before it is sent.
  `create trigger outcome_rules_bump after insert on outcome_rules for each statement execute function bump_rules_version()`,
];
