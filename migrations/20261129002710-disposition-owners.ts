import { Migration } from '@mikro-orm/migrations';

/**
 * A call's dispositions go with the call, and with the person whom it reached: what an agent wrote about somebody is theirs.
 *
 * Source: D8.7, D12.9
 */
export class Migration20261129002710DispositionOwners extends Migration {
  override up(): void {
    for (const [column, table] of OWNERS) {
      this.addSql(`alter table call_disposition drop constraint call_disposition_${column}_fkey,
        add constraint call_disposition_${column}_fkey foreign key (${column}) references ${table} on delete cascade`);
    }
  }
}

const OWNERS = [
  ['attempt_id', 'attempt'],
  ['softphone_call_id', 'softphone_call'],
  ['contact_id', 'contact'],
  ['campaign_id', 'campaign'],
] as const;
