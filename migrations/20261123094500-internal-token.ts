import { Migration } from '@mikro-orm/migrations';

/**
 * Hash of the internal token that a server generates when none is configured.
 *
 * Why:    all instances accept the same token, and it is shown only once (D1.4); there is at most one row
 */
export class Migration20261123094500InternalToken extends Migration {
  override up(): void {
    this.addSql(`create table internal_token (
      is_one boolean primary key default true check (is_one),
      token_hash text not null,
      created_at timestamptz not null default now())`);
  }
}
