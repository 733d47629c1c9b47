import { type RawBuilder, sql } from 'kysely';
import { GIVEN_TEXTS, TEXT_COLUMNS } from '#contacts/contact-store.ts';
import { ownedKeys } from '#contacts/contact-number-statements.ts';
import type { NewContact } from '#contacts/contact.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { json } from '#platform/postgres/values.ts';

/**
 * Standing of an imported row in its campaign or list: `new`; `changed` or `same`, compared with the row of its external id; `known` when
 * a person with its number is there already.
 */
export type Standing = 'new' | 'changed' | 'same' | 'known';

/** The given rows with their columns as `g`, in the order of `position`. */
export function givenRows(contacts: readonly NewContact[]): RawBuilder<unknown> {
  return sql`rows from (jsonb_to_recordset(${json(contacts)}) as
    ("phoneNumber" text, "dialKey" text, ${GIVEN_TEXTS}, zones text, metadata jsonb, numbers jsonb))
    with ordinality as g (phone_number, dial_key, ${TEXT_COLUMNS}, zones, metadata, numbers, position)`;
}

/** Whether `o` and the given row `g` have the same texts and variables. */
const SAME_TEXTS = sql`(o.customer_name, o.remark, o.time_zone, o.metadata) is not distinct from (g.customer_name, g.remark, g.time_zone, g.metadata)`;

/**
 * How the rows stand to the contacts of a campaign, in their order.
 *
 * Why: a row that changes nothing writes nothing, so a file that comes again every night costs its reading alone; a number that another
 *      contact has is not taken over, so it is no change either
 */
export function standingInCampaign(tx: Sql, campaignId: number, contacts: readonly NewContact[]): Promise<Standing[]> {
  const id = sql`${campaignId}::int`;
  const isTaken = sql`exists (select from contact t where t.campaign_id = ${id} and t.dial_key = g.dial_key and t.deleted_at is null and not t.is_repeat)`;
  const numbers = sql`(select jsonb_agg(jsonb_build_object('phoneNumber', n.phone_number, 'dialKey', n.dial_key, 'label', n.label, 'extension', n.extension)
    order by n.position) from contact_number n where n.contact_id = o.id)`;
  const sameNumbers = sql`case when o.has_numbers then ${numbers} = g.numbers else g.numbers = '[]' and o.dial_key = g.dial_key end`;
  const keepsNumber = sql`(${isTaken} and o.dial_key <> g.dial_key and not g.numbers @> jsonb_build_array(jsonb_build_object('dialKey', o.dial_key)))`;
  return standing(tx, contacts, {
    found: sql`select o.* from contact o
      where o.campaign_id = ${id} and o.external_id = g.external_id and o.external_id <> '' and o.deleted_at is null`,
    isSame: sql`${SAME_TEXTS} and (${sameNumbers} or ${keepsNumber})`,
    isKnown: sql`o.id is null and (${isTaken} or ${ownedKeys(id, sql`g.dial_key`)})`,
  });
}

/** Like `standingInCampaign`, for a list, where a row whose new number another row has is left out. */
export function standingInList(tx: Sql, listId: number, contacts: readonly NewContact[]): Promise<Standing[]> {
  return standing(tx, contacts, {
    found: sql`select o.* from contact_list_row o
      where o.list_id = ${listId} and o.external_id = g.external_id and o.external_id <> '' and o.gone_version is null`,
    isSame: sql`${SAME_TEXTS} and (o.phone_number, o.dial_key, o.numbers) = (g.phone_number, g.dial_key, g.numbers)`,
    isKnown: sql`exists (select from contact_list_row t
      where t.list_id = ${listId} and t.dial_key = g.dial_key and t.gone_version is null and t.id is distinct from o.id)`,
  });
}

interface Compared {
  /** The row `o` with the external id of `g`. */
  found: RawBuilder<unknown>;
  isSame: RawBuilder<unknown>;
  isKnown: RawBuilder<unknown>;
}

/** Each row is looked up by itself: a plan made before an import has grown the table would read all of it for each statement. */
async function standing(tx: Sql, contacts: readonly NewContact[], { found, isSame, isKnown }: Compared): Promise<Standing[]> {
  if (contacts.length === 0) return [];
  const rows = await tx.rows(sql<{ standing: Standing }>`
    select case when o.id is not null and ${isSame} then 'same' when ${isKnown} then 'known' when o.id is not null then 'changed' else 'new' end as standing
    from ${givenRows(contacts)} left join lateral (${found} offset 0) as o on true order by g.position`);
  return rows.map(row => row.standing);
}
