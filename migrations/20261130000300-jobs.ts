import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * Long work that any server goes on with, step by step.
 *
 * Source: D2.10
 */
export class Migration20261130000300Jobs extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  // `owner` keeps whoever started it, as their steps' audit rows need it; the user may be deleted meanwhile.
  `create table job (
     id bigint generated always as identity primary key, kind text not null check (length(kind) between 1 and 40), title text not null, about jsonb,
     state text not null default 'queued' check (state in ('queued','running','done','failed','cancelled')),
     input jsonb not null, cursor jsonb, result jsonb, error jsonb, done bigint not null default 0, total bigint,
     owner_id int, owner_name text not null, owner jsonb not null, failures int not null default 0, is_discarded boolean not null default false,
     lease_until timestamptz(3), lease_token uuid, started_at timestamptz(3), finished_at timestamptz(3), ${TIMES},
     check ((finished_at is null) = (state in ('queued','running'))))`,
  `create index job_open on job (id) where state in ('queued','running')`,
  `create index job_undiscarded on job (id) where state in ('failed','cancelled') and not is_discarded`,
  `create index job_finished on job (finished_at) where finished_at is not null`,
  `create index job_owner on job (owner_id, id desc)`,
  ...touch('job'),
];
