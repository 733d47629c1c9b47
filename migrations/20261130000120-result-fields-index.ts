import { Migration } from '@mikro-orm/migrations';

/**
 * The index by which calls are found by what they found out.
 *
 * Why:    calls that found out nothing have no entry. New entries wait in a list that is merged while it is short, so that no result of a call
 *         has to merge a long one
 * Source: D7.17
 */
export class Migration20261130000120ResultFieldsIndex extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create index attempt_result_fields on attempt using gin (result_fields jsonb_path_ops) with (gin_pending_list_limit = 256)
     where result_fields is not null`,
];
