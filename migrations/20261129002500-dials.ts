import { Migration } from '@mikro-orm/migrations';

/**
 * Contacts that other systems ask to be called: the earliest and latest instant of a dial, its urgency, and the name by which the other
 * system knows it.
 *
 * Why:    another migration adds `external_id` too; either may come first
 * Source: D7.15
 */
export class Migration20261129002500Dials extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `alter table contact add column if not exists external_id text not null default ''`,
  `create unique index if not exists contact_external on contact (campaign_id, external_id) where external_id <> '' and deleted_at is null`,
  // `expiry_told`: the event of a dial that came too late is recorded.
  `alter table contact add not_before timestamptz(3), add not_after timestamptz(3),
     add urgency smallint not null default 0 check (urgency between 0 and 9), add expiry_told boolean not null default true`,
  `create index contact_urgent on contact (campaign_id, urgency desc, id)
     where status = 'pending' and callback_at is null and urgency > 0 and hold_reason is null and deleted_at is null`,
  `drop index contact_pending`,
  `create index contact_pending on contact (campaign_id, priority desc, id)
     where status = 'pending' and callback_at is null and urgency = 0 and hold_reason is null and deleted_at is null`,
  `create index contact_not_after on contact (not_after)
     where not_after is not null and callback_at is null and deleted_at is null and (status in ('pending','paused') or (status = 'failed' and retry_at is not null))`,
  `create index contact_expiry_untold on contact (id) where not expiry_told`,
];
