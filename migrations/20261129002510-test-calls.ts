import { Migration } from '@mikro-orm/migrations';
import { OPEN_ATTEMPT } from './fragments.ts';

/**
 * Test calls: attempts that ring a user's own phone with a contact's data.
 *
 * Why:    a test call is born deleted, and so is the contact that holds its number. Whatever lists, counts or dials leaves both out, without
 *         each statement saying so; only what shows test calls, or what keeps a phone to one call, sees them
 * Source: D7.16
 */
export class Migration20261129002510TestCalls extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  // `tested_by`: the user, 0 where there are none; null: no test. `tested_contact_id`: the contact whose data the call has.
  `alter table attempt add tested_by int, add tested_contact_id bigint references contact`,
  `create unique index attempt_one_test on attempt (tested_by) where tested_by is not null and ${OPEN_ATTEMPT}`,
  `create index attempt_test on attempt (campaign_id, id desc) where tested_by is not null`,
  `create index attempt_tested_contact on attempt (tested_contact_id) where tested_contact_id is not null`,
];
