import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * Calls that somebody was promised. A contact with one waits on hold until it is due, and is then dialled before all others.
 *
 * Source: D7.12
 */
export class Migration20261129001000Callbacks extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  // `told`: the event of a given-up callback is recorded.
  `create table callback (
     id bigint generated always as identity primary key, campaign_id int not null references campaign on delete cascade,
     contact_id bigint not null references contact on delete cascade,
     due_at timestamptz(3) not null, until timestamptz(3), note text not null default '',
     source text not null check (source in ('runtime','agent','console','import')),
     status text not null default 'promised' check (status in ('promised','kept','given_up','cancelled')),
     misses int not null default 0, attempt_id bigint references attempt on delete set null,
     ended_attempt_id bigint references attempt on delete set null, created_by int, told boolean not null default true, ${TIMES})`,
  `create unique index callback_promised on callback (contact_id) where status = 'promised'`,
  `create index callback_due on callback (due_at, id) where status = 'promised'`,
  `create index callback_campaign_due on callback (campaign_id, due_at, id)`,
  `create index callback_until on callback (until) where status = 'promised' and until is not null`,
  `create index callback_untold on callback (id) where not told`,
  `create index callback_attempt on callback (attempt_id) where attempt_id is not null`,
  `create index callback_ended_attempt on callback (ended_attempt_id) where ended_attempt_id is not null`,
  ...touch('callback'),

  `alter table contact add column callback_at timestamptz(3)`,
  // A due callback is claimed before retries and other contacts (D7.12).
  `create index contact_callback on contact (campaign_id, callback_at, id)
     where status = 'pending' and callback_at is not null and hold_reason is null and deleted_at is null`,
  `drop index contact_pending`,
  `create index contact_pending on contact (campaign_id, priority desc, id)
     where status = 'pending' and callback_at is null and hold_reason is null and deleted_at is null`,
];
