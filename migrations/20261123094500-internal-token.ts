import { Migration } from '@mikro-orm/migrations';

/**
 * The internal token that a server made because none was written, as its hash.
 *
 * Why:    all instances let the same one in, and it is shown once (D1.4); there is one row at most
 */
export class Migration20261123094500InternalToken extends Migration {
  override up(): void {
    this.addSql(`create table internal_token (
      is_one boolean primary key default true check (is_one),
      token_hash text not null,
      created_at timestamptz not null default now())`);
  }
}
