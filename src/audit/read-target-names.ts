import { type RawBuilder, sql } from 'kysely';
import { ids, uuids } from '#platform/postgres/values.ts';
import { isUuid } from '#kernel/ids.ts';
import type { ListDeps } from '#platform/postgres/listing.ts';

/** Target of an audit row: its kind and id. */
export interface AuditTarget {
  targetType: string;
  targetId: string;
}

export interface TargetName extends AuditTarget {
  name: string;
}

const PERSON = sql`concat_ws(' ', nullif(k.customer_name, ''), a.phone_number)`;
const CALLS = sql`attempt a left join contact k on k.id = a.contact_id`;

/** By kind, a query for the `id` and `name` of the rows among `keys`. */
const NAMES_BY_TARGET: Readonly<Record<string, (keys: readonly string[]) => RawBuilder<unknown>>> = {
  agent: ofTable(sql`agent`),
  agent_group: ofTable(sql`agent_group`),
  campaign: ofTable(sql`campaign`),
  line: ofTable(sql`line`),
  policy: ofTable(sql`policy`),
  script: ofTable(sql`script`),
  user: ofTable(sql`app_user`, sql`coalesce(nullif(t.display_name, ''), t.username)`),
  contact: ofTable(sql`contact`, sql`concat_ws(' ', nullif(t.customer_name, ''), t.phone_number)`),
  do_not_call: ofTable(sql`do_not_call`, sql`t.phone_number`),
  softphone_call: ofTable(sql`softphone_call`, sql`t.phone_number`),
  batch: keys =>
    sql`select b.id::text as id, c.name from batch b join campaign c on c.id = b.campaign_id where b.id = any(${ids(numbersOf(keys))})`,
  attempt: keys => sql`select a.id::text as id, ${PERSON} as name from ${CALLS} where a.id = any(${ids(numbersOf(keys))})`,
  call: keys =>
    sql`select a.request_id::text as id, ${PERSON} as name from ${CALLS} where a.request_id = any(${uuids(keys.filter(isUuid))})`,
  conference: keys =>
    sql`select s.id::text as id, ${PERSON} as name from conference_session s join (${CALLS}) on a.id = s.attempt_id where s.id = any(${ids(numbersOf(keys))})`,
};

/** Returns the current names of the targets, deleted ones included; targets without a name are left out. */
export async function readTargetNames({ db }: ListDeps, targets: readonly AuditTarget[]): Promise<TargetName[]> {
  const named = await Promise.all(
    [...Map.groupBy(targets, ({ targetType }) => targetType)].map(async ([targetType, ofType]) => {
      const select = NAMES_BY_TARGET[targetType];
      if (!select) return [];
      const rows = await db.rows(select(ofType.map(({ targetId }) => targetId)) as RawBuilder<{ id: string; name: string }>);
      return rows.filter(({ name }) => name !== '').map(({ id, name }) => ({ targetType, targetId: id, name }));
    }),
  );
  return named.flat();
}

function ofTable(table: RawBuilder<unknown>, name = sql`t.name`) {
  return (keys: readonly string[]) =>
    sql`select t.id::text as id, ${name} as name from ${table} as t where t.id = any(${ids(numbersOf(keys))})`;
}

/** Drops keys that cannot be row ids. */
function numbersOf(keys: readonly string[]): number[] {
  return keys.filter(key => /^\d{1,15}$/.test(key)).map(Number);
}
