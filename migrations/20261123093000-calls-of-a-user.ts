import { Migration } from '@mikro-orm/migrations';

/**
 * The way to the newest calls of one user.
 *
 * Why:    an ordinary agent is shown its own calls alone (OCS 4.14), however many others there are
 */
export class Migration20261123093000CallsOfAUser extends Migration {
  override up(): void {
    this.addSql(`create index softphone_call_user on softphone_call (user_id, id desc)`);
  }
}
