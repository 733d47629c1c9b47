import { Migration } from '@mikro-orm/migrations';

/**
 * What calls over a line cost, from when on.
 *
 * Why:    a call keeps the price of its time, so a price has a beginning and is followed by the next. A price that begins in the past, or is removed,
 *         marks the hours in which the line was dialled, in the same transaction: those that are sealed, and those that may be sealed at this moment
 * Source: D14.10
 */
export class Migration20261130001200LinePrices extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  `create table line_price (
     id bigint generated always as identity primary key, line_id int not null references line on delete cascade, valid_from timestamptz(3) not null,
     currency text not null check (currency ~ '^[A-Z]{3}$'), per_minute numeric(12,6) not null check (per_minute >= 0),
     unit_seconds int not null check (unit_seconds >= 1), connection_fee numeric(12,6) not null check (connection_fee >= 0),
     created_at timestamptz(3) not null default now(), unique (line_id, valid_from))`,
  `create function mark_priced_hours() returns trigger language plpgsql as $$
   declare
     price line_price := case when tg_op = 'DELETE' then old else new end;
     first_hour timestamptz := date_trunc('hour', price.valid_from, 'UTC');
     until timestamptz := (select min(n.valid_from) from line_price n where n.line_id = price.line_id and n.valid_from > price.valid_from);
   begin
     insert into call_block_stale (hour)
     select b.hour from call_block b where b.hour >= first_hour and b.hour < coalesce(until, 'infinity') and b.name = 'line' and jsonb_exists(b.dictionary, price.line_id::text)
     union
     select r.from_hour - interval '1 hour' from call_block_range r where r.from_hour > first_hour
     union
     select s from generate_series(
       greatest(first_hour, coalesce((select r.to_hour from call_block_range r), date_trunc('hour', now(), 'UTC') - interval '3 hours')),
       least(now(), coalesce(until, 'infinity')), interval '1 hour') s;
     return null;
   end $$`,
  `create trigger line_price_call_hours after insert or update or delete on line_price for each row execute function mark_priced_hours()`,
];
