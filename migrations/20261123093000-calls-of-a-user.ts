import { Migration } from '@mikro-orm/migrations';

/**
 * Index for the latest calls of a user.
 *
 * Why:    an agent sees only its own calls (OCS 4.14), which must be found fast among all others
 */
export class Migration20261123093000CallsOfAUser extends Migration {
  override up(): void {
    this.addSql(`create index softphone_call_user on softphone_call (user_id, id desc)`);
  }
}
