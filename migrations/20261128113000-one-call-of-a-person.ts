import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes for the open calls of a number, and for contacts that wait for their end.
 *
 * Source: D7.10
 */
export class Migration20261128113000OneCallOfAPerson extends Migration {
  override up(): void {
    this.addSql(`create index attempt_open_number on attempt (dial_key) where status in ('claimed','dialing','accepted','answered')`);
    this.addSql(`create index softphone_call_open_number on softphone_call (dial_key)
      where dial_key <> '' and status in ('created','ringing','dialing','answered')`);
    this.addSql(`create index contact_in_call on contact (dial_key) where hold_reason = 'in_call_elsewhere' and deleted_at is null`);
  }
}
