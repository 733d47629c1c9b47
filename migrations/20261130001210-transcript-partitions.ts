import { Migration } from '@mikro-orm/migrations';

/**
 * Transcripts lie in partitions by ranges of calls, so that months of them go at once.
 *
 * Why:    ids of calls follow time, so a range of ids is a stretch of time; the transcript of a call is in one partition, and a call and a segment id
 *         are still together unique. The table of before becomes the first partition as it is, from the lowest to the highest value: nothing is read or
 *         written, and the locks last for a moment. The servers
 *         cut it later, a step at a time, through these functions of the owner, since their own role may change rows alone
 * Source: D14.10
 */
export class Migration20261130001210TranscriptPartitions extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const LOCK = [
  // Asks without queueing, so that no call waits behind it, and queues at last for a moment. A result takes both tables in this order, too.
  `create function lock_transcripts(mode text) returns void language plpgsql set lock_timeout = '500ms' as $$
   begin
     for round in 1..40 loop
       begin
         execute format('lock table attempt in %s mode nowait', mode);
         lock table only transcript_segment in access exclusive mode nowait;
         return;
       exception when lock_not_available then
         perform pg_sleep(0.05);
       end;
     end loop;
     execute format('lock table attempt in %s mode', mode);
     lock table only transcript_segment in access exclusive mode;
   end $$`,
];

const SWAP = [
  `select lock_transcripts('access exclusive')`,
  `alter table transcript_segment rename to transcript_segment_0`,
  `alter table transcript_segment_0 rename constraint transcript_segment_pkey to transcript_segment_0_pkey`,
  `alter table transcript_segment_0 rename constraint transcript_segment_attempt_id_segment_id_key to transcript_segment_0_attempt_id_segment_id_key`,
  `drop trigger transcript_segment_touch on transcript_segment_0`,
  // Each partition has a key of its own by the id, which numbers the segments of all of them.
  `do $$
   declare
     next bigint := (select case when is_called then last_value + 1 else last_value end from transcript_segment_id_seq);
   begin
     alter table transcript_segment_0 alter column id drop identity;
     create table transcript_segment (
       like transcript_segment_0 including defaults including constraints, unique (attempt_id, segment_id), foreign key (attempt_id) references attempt)
       partition by range (attempt_id);
     execute format('alter table transcript_segment alter column id add generated always as identity (start with %s)', next);
   end $$`,
  `alter table transcript_segment attach partition transcript_segment_0 for values from (minvalue) to (maxvalue)`,
  `create trigger transcript_segment_touch before update on transcript_segment for each row execute function touch_row()`,
];

const AS_OWNER = `language plpgsql security definer set search_path from current`;

const FUNCTIONS = [
  `create function transcript_partitions() returns table (name text, from_id bigint, to_id bigint) language sql stable as $$
     select c.relname::text, p.from_id, lead(p.from_id) over (order by p.from_id)
     from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join lateral (select substr(c.relname::text, 20)::bigint as from_id) p
     where i.inhparent = 'transcript_segment'::regclass order by p.from_id $$`,
  // The last partition is open: it takes what has no other place yet.
  `create function open_transcripts() returns text language sql stable as $$ select p.name from transcript_partitions() p where p.to_id is null $$`,
  // The first one takes everything below, so that a late transcript of an old call has its place.
  `create function make_transcript_partition(from_id bigint, to_id bigint) returns void language plpgsql as $$
   declare
     name text := 'transcript_segment_' || from_id;
   begin
     execute format('create table %I (like transcript_segment including defaults including constraints, primary key (id))', name);
     perform attach_transcript_partition(name, from_id, to_id);
   end $$`,
  `create function attach_transcript_partition(name text, from_id bigint, to_id bigint) returns void language plpgsql as $$
   begin
     execute format('alter table transcript_segment attach partition %I for values from (%s) to (%s)', name,
       case when from_id = 0 then 'minvalue' else from_id::text end, coalesce(to_id::text, 'maxvalue'));
   end $$`,
  // The next id of a call, and how many calls a month has: of the last thirty days, or as many as the days so far promise.
  `create function calls_of_a_month(out next_id bigint, out size bigint) language plpgsql stable as $$
   declare
     low bigint := (select min(a.id) from attempt a); high bigint := (select max(a.id) from attempt a); middle bigint; at timestamptz; days float8;
   begin
     next_id := coalesce(high, 0) + 1;
     while low < high loop
       middle := low + (high - low) / 2;
       at := (select a.created_at from attempt a where a.id >= middle order by a.id limit 1);
       if at < now() - interval '30 days' then low := middle + 1; else high := middle; end if;
     end loop;
     days := extract(epoch from now() - (select a.created_at from attempt a where a.id >= low order by a.id limit 1)) / 86400;
     size := ceil(coalesce((next_id - low) * 30 / greatest(days, 1), 0) / 100000) * 100000;
     size := least(greatest(size, 100000), 50000000);
   end $$`,
  // Makes partitions for three months ahead, behind which the open one is empty. Answers 'occupied' when it has rows.
  `create function extend_transcripts(next_id bigint, size bigint) returns text ${AS_OWNER} as $$
   declare
     last record; is_occupied boolean; low bigint; high bigint;
   begin
     select * from transcript_partitions() p where p.to_id is null into last;
     execute format('select exists (select from %I)', last.name) into is_occupied;
     if is_occupied then return 'occupied'; end if;
     if last.from_id >= next_id + 3 * size then return 'enough'; end if;
     perform lock_transcripts('share row exclusive');
     execute format('select exists (select from %I)', last.name) into is_occupied;
     if is_occupied then return 'occupied'; end if;
     execute format('drop table %I', last.name);
     low := last.from_id;
     while low < next_id + 3 * size loop
       high := greatest(low, next_id) + size;
       perform make_transcript_partition(low, high);
       low := high;
     end loop;
     perform make_transcript_partition(low, null);
     return 'extended';
   end $$`,
  // An open partition with rows is closed in three steps, none of which holds calls up. First it gets a bound that calls reach in a month;
  // one that they are about to reach is taken back.
  `create function bound_open_transcripts(next_id bigint, size bigint) returns void ${AS_OWNER} set lock_timeout = '500ms' as $$
   declare
     bound bigint := (select b.bound from bound_of_open_transcripts() b);
   begin
     if bound is not null and bound < next_id + size / 4 then
       execute format('alter table %I drop constraint transcript_bound', open_transcripts());
       bound := null;
     end if;
     if bound is null then
       execute format('alter table %I add constraint transcript_bound check (attempt_id < %s) not valid', open_transcripts(), next_id + size);
     end if;
   end $$`,
  `create function bound_of_open_transcripts(out bound bigint, out is_checked boolean) language sql stable as $$
     select substring(pg_get_constraintdef(c.oid) from '< ''?([0-9]+)')::bigint, c.convalidated
     from pg_constraint c where c.conrelid = open_transcripts()::regclass and c.conname = 'transcript_bound' $$`,
  // Then the rows are checked, while calls go on.
  `create function check_open_transcripts() returns void ${AS_OWNER} as $$
   begin
     execute format('alter table %I validate constraint transcript_bound', open_transcripts());
   end $$`,
  // At last it is attached with its bound, for which nothing has to be read.
  `create function close_open_transcripts() returns void ${AS_OWNER} as $$
   declare
     last record; bound bigint := (select b.bound from bound_of_open_transcripts() b where b.is_checked);
   begin
     if bound is null then return; end if;
     select * from transcript_partitions() p where p.to_id is null into last;
     perform lock_transcripts('access exclusive');
     execute format('alter table transcript_segment detach partition %I', last.name);
     perform attach_transcript_partition(last.name, last.from_id, bound);
     execute format('alter table %I drop constraint transcript_bound', last.name);
     perform make_transcript_partition(bound, null);
   end $$`,
  `create function analyze_transcripts() returns void ${AS_OWNER} as $$ begin analyze transcript_segment; end $$`,
  // The partitions from the first on whose newest segment was written before an instant; ids of segments follow time, too.
  `create function expired_transcripts(before timestamptz, out names text[], out to_id bigint) language plpgsql stable as $$
   declare
     part record; newest timestamptz; seen text[] := '{}';
   begin
     for part in select * from transcript_partitions() loop
       exit when part.to_id is null;
       execute format('select created_at from %I order by id desc limit 1', part.name) into newest;
       exit when newest >= before;
       seen := seen || part.name;
       if newest is not null then names := seen; to_id := part.to_id; end if;
     end loop;
   end $$`,
  // Drops them, and counts what is gone: of a large partition, the rows that it had when it was analysed.
  `create function drop_transcripts(before timestamptz) returns bigint ${AS_OWNER} as $$
   declare
     expired record; part text; gone bigint; removed bigint := 0;
   begin
     if (select e.names from expired_transcripts(before) e) is null then return 0; end if;
     perform lock_transcripts('share row exclusive');
     select * from expired_transcripts(before) into expired;
     if expired.names is null then return 0; end if;
     foreach part in array expired.names loop
       gone := (select c.reltuples from pg_class c where c.oid = part::regclass);
       if gone < 100000 then execute format('select count(*) from %I', part) into gone; end if;
       removed := removed + gone;
       execute format('drop table %I', part);
     end loop;
     perform make_transcript_partition(0, expired.to_id);
     return removed;
   exception when lock_not_available then
     return 0;
   end $$`,
];

/** An empty table is cut at once. */
const EXTEND = `select extend_transcripts(m.next_id, m.size) from calls_of_a_month() m`;

const STATEMENTS = [...LOCK, ...SWAP, ...FUNCTIONS, EXTEND];
