import { type RawBuilder, sql } from 'kysely';
import { anywhere } from '#adapters/postgres/search.ts';
import { CONTACT_COLUMNS } from '#adapters/postgres/contact-columns.ts';
import { intIds } from '#adapters/postgres/values.ts';
import type { ContactSearch, ContactStore } from '#ports/contact-store.ts';
import type { Page, PageRequest } from '../listing.ts';
import type { Contact } from '#model/contact.ts';
import {
  ASKED,
  cut,
  cutEach,
  cutOne,
  inOrder,
  isBeyond,
  type ListDeps,
  ofEach,
  type OrderField,
  requireRow,
  type Slice,
  type SliceRequest,
  type Window,
} from '../listing.ts';
import { TABLES } from '../tables.ts';
import { contactConditions, type ContactFilter, isNarrowing, narrowed } from './contact-filter.ts';

/** `filter` narrows further; nothing is remembered of it. */
export type ContactQuery = ContactSearch & { filter?: ContactFilter };

export interface ListContactsDeps extends ListDeps {
  contacts: Pick<ContactStore, 'count'>;
}

/**
 * Newest first; the text is found anywhere in number, name and remark.
 *
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 4.6
 */
export async function listContacts(deps: ListContactsDeps, campaignId: number, query: ContactSearch & PageRequest): Promise<Page<Contact>> {
  await requireRow(deps, TABLES.campaign, campaignId, '活动');
  const { page, pageSize } = query;
  const [total = 0] = await deps.contacts.count([campaignId], query);
  const offset = (page - 1) * pageSize;
  if (offset >= total) return { rows: [], page, pageSize, total };
  const window = nearer({ limit: pageSize, offset }, total);
  const isWalked = meetsSoon(query.q, { total, reach: window.offset + window.limit });
  const rows = contactRows(sql`${campaignId}::int`, { ...query, isWalked }, window);
  const [found, hold] = await Promise.all([deps.db.rows(sql<Contact>`${rows} order by k.id desc`), readCommonHold(deps, campaignId)]);
  return { rows: hold === null ? found : found.map(row => underHold(row, hold)), page, pageSize, total };
}

/** What keeps every contact of a campaign from being dialled that could be dialled otherwise. */
interface CommonHold {
  reason: 'no_runtime';
  /** By the database's clock, UTC ms. */
  now: number;
}

/** No column of each contact: the campaign waits, and goes on for all at once. Source: D7.10 */
async function readCommonHold({ db }: ListDeps, campaignId: number): Promise<CommonHold | null> {
  const row = await db.first(sql<CommonHold>`
    select phase_refusal as reason, now() as now from campaign
    where id = ${campaignId} and status = 'running' and phase_refusal = 'no_runtime'`);
  return row ?? null;
}

function underHold(contact: Contact, { reason, now }: CommonHold): Contact {
  const { holdReason, status, retryAt } = contact;
  const isDue = status === 'pending' || (status === 'failed' && retryAt !== null && retryAt <= now);
  return holdReason === null && isDue ? { ...contact, holdReason: reason } : contact;
}

/** The same rows from the end of the list that is nearer to them; they are sorted afterwards. */
function nearer({ limit, offset }: { limit: number; offset: number }, total: number): Window & { offset: number } {
  const behind = total - offset - limit;
  return offset === 0 || behind >= offset
    ? { limit, offset }
    : { limit: Math.min(limit, total - offset), offset: Math.max(behind, 0), isAscending: true };
}

/** A search leads to few contacts of one campaign and to many of another: each is read in its own way, and each way is one statement. */
export async function sliceContacts(
  { db, contacts }: ListContactsDeps,
  campaignIds: readonly number[],
  request: SliceRequest & ContactQuery,
): Promise<Slice<Contact>[]> {
  const found = request.q === '' ? [] : await contacts.count(campaignIds, request);
  return cutEach(campaignIds, request, async window => {
    const walked = campaignIds.map((_id, index) => meetsSoon(request.q, { total: found[index] ?? 0, reach: window.limit }));
    const ways = [true, false].map(isWalked => ({ isWalked, ids: campaignIds.filter((_id, index) => walked[index] === isWalked) }));
    const rows = ways
      .filter(({ ids }) => ids.length > 0)
      .map(({ isWalked, ids }) =>
        db.rows(ofEach(ids, contactRows(ASKED, { ...request, isWalked }, window), window, orderIn('slice', window))),
      );
    return (await Promise.all(rows)).flat();
  });
}

/** How many of each campaign match, in the order of the ids, which are distinct. */
export async function countContacts(
  { db, contacts }: ListContactsDeps,
  campaignIds: readonly number[],
  query: ContactQuery,
): Promise<number[]> {
  if (!isNarrowing(query.filter)) return contacts.count(campaignIds, query);
  const found = matchingIds(ASKED, { ...query, isWalked: query.q === '' });
  const rows = await db.rows(sql<{ id: number; total: number }>`
    select asked.id, (select count(*) from (${narrowed(found, query.filter)}) as m) as total from unnest(${intIds(campaignIds)}) as asked (id)`);
  const totals = new Map(rows.map(({ id, total }) => [id, total]));
  return campaignIds.map(id => totals.get(id) ?? 0);
}

/**
 * Contacts of every campaign, as a slice of one list.
 *
 * Why: each campaign's are found by its own indexes, no more than the slice takes, and the newest of all are kept
 */
export async function sliceAllContacts(deps: ListContactsDeps, request: SliceRequest & ContactQuery): Promise<Slice<Contact>> {
  const campaignIds = await everyCampaign(deps);
  const found = request.q === '' ? [] : await deps.contacts.count(campaignIds, request);
  return cutOne(request, window => {
    const walked = (_id: number, index: number) => meetsSoon(request.q, { total: found[index] ?? 0, reach: window.limit });
    const ways = [
      { isWalked: true, ids: campaignIds.filter(walked) },
      { isWalked: false, ids: campaignIds.filter((id, index) => !walked(id, index)) },
    ];
    const parts = ways.map(({ isWalked, ids }) => {
      const chosen = sql`select m.id from (${narrowed(matchingIds(ASKED, { ...request, isWalked }), request.filter)}) as m
        where ${isBeyond(sql`m.id`, window)} order by ${inOrder(sql`m.id`, window)} ${cut(window)}`;
      return sql`select part.id from unnest(${intIds(ids)}) as asked (id) cross join lateral (${chosen}) as part`;
    });
    return deps.db.rows(sql<Contact>`
      select ${CONTACT_COLUMNS} from contact k
      join (select id from (${sql.join(parts, sql` union all `)}) as all_parts order by ${inOrder(sql`id`, window)} ${cut(window)}) as chosen
        on chosen.id = k.id
      order by ${inOrder(sql`k.id`, window)}`);
  });
}

/** How many of every campaign match. */
export async function countAllContacts(deps: ListContactsDeps, query: ContactQuery): Promise<number> {
  const counts = await countContacts(deps, await everyCampaign(deps), query);
  return counts.reduce((sum, count) => sum + count, 0);
}

async function everyCampaign({ db }: ListDeps): Promise<number[]> {
  const rows = await db.rows(sql<{ id: number }>`select id from campaign where deleted_at is null order by id`);
  return rows.map(({ id }) => id);
}

type Way = ContactQuery & { isWalked: boolean };

/** The ids come from an index alone; only the rows of the window are read, in no order. */
function contactRows(campaignId: RawBuilder<unknown>, way: Way, window: Window): RawBuilder<Contact> {
  const chosen = columnOf(window) === null ? byTime(campaignId, way, window) : byColumn(campaignId, way, window);
  return sql<Contact>`select ${CONTACT_COLUMNS} from contact k join (${chosen}) as chosen on chosen.id = k.id`;
}

function byTime(campaignId: RawBuilder<unknown>, way: Way, window: Window): RawBuilder<unknown> {
  return sql`
    select m.id from (${narrowed(matchingIds(campaignId, way), way.filter)}) as m where ${isBeyond(sql`m.id`, window)}
    order by ${inOrder(sql`m.id`, window)} ${cut(window)}`;
}

/** What contacts may be ordered by beside the time: each has an index of the campaign. */
export const CONTACT_ORDERS: Partial<Record<OrderField, string>> = { name: 'customer_name', updatedAt: 'updated_at' };

function columnOf({ by = 'createdAt' }: Window): string | null {
  return CONTACT_ORDERS[by] ?? null;
}

function orderIn(table: string, window: Window): RawBuilder<unknown> {
  const column = columnOf(window);
  const byId = inOrder(sql.ref(`${table}.id`), window);
  return column === null ? byId : sql`${inOrder(sql.ref(`${table}.${column}`), window)}, ${byId}`;
}

/** In the order of an index, or few that were found and are sorted. A cursor names the row alone: it stands where its row stands now. */
function byColumn(campaignId: RawBuilder<unknown>, { q, status, isWalked, filter }: Way, window: Window): RawBuilder<unknown> {
  const { beyond = null, isAscending = false } = window;
  const column = sql.ref(columnOf(window) ?? 'id');
  const place = sql`((select ${column} from contact where id = ${beyond}::bigint), ${beyond}::bigint)`;
  const found = isWalked
    ? texts(q)
    : { from: sql`found_contacts(${campaignId}, ${q}, ${status}) as f (id) join contact k on k.id = f.id`, has: [] };
  const conditions = [
    sql`k.campaign_id = ${campaignId}`,
    sql`k.deleted_at is null`,
    ...(status === null ? [] : [sql`k.status = ${status}`]),
    ...(beyond === null ? [] : [sql`(k.${column}, k.id) ${isAscending ? sql`>` : sql`<`} ${place}`]),
    ...found.has,
    ...contactConditions(filter),
  ];
  return sql`select k.id from ${found.from} where ${sql.join(conditions, sql` and `)} order by ${orderIn('k', window)} ${cut(window)}`;
}

/** Contacts on the way through all, with what is looked for on it. */
function texts(q: string): { from: RawBuilder<unknown>; has: RawBuilder<unknown>[] } {
  if (q === '') return { from: sql`contact k`, has: [] };
  const from = sql`contact k join contact_search s on s.campaign_id = k.campaign_id and s.contact_id = k.id`;
  return { from, has: [hasText(sql`s.letters`, q)] };
}

/** Of `contact_search.letters`. */
const BETWEEN_TEXTS = '\u0001';
/** More matches than this are met soon enough on the way from the newest contact, wherever the page is. */
const DENSE = 50_000;
/** So are fewer, when the page ends within this share of them. */
const FAIRLY_DENSE = 5_000;
const NEAR_SHARE = 0.1;

/** No entry of the search index leads to so little: every contact of the campaign is looked at, or those on the way. */
const ONE_LETTER = /^\p{ASCII}$/u;
const ONE_OR_TWO_LETTERS = /^\p{ASCII}{1,2}$/u;

/**
 * Whether the way through the contacts in order soon meets enough of the `total` that match, for a page that ends with the `reach`-th.
 *
 * Why: few matches come from the search index and are sorted; many are met by walking in order. What stands between two texts is in none of
 *      them, so that it is not looked for on the way
 */
function meetsSoon(q: string, { total, reach }: { total: number; reach: number }): boolean {
  if (q.includes(BETWEEN_TEXTS)) return false;
  if (ONE_LETTER.test(q)) return reach <= total;
  return q === '' || total > DENSE || (total > FAIRLY_DENSE && reach <= total * NEAR_SHARE);
}

/** One or two letters are found by `like` in half the time. */
function hasText(letters: RawBuilder<unknown>, q: string): RawBuilder<unknown> {
  return ONE_OR_TWO_LETTERS.test(q) ? sql`${letters} like ${anywhere(q.toLowerCase())}` : sql`strpos(${letters}, lower(${q})) > 0`;
}

/** A query of the ids of matching contacts; of the campaign whose id the expression `campaignId`, an int, gives. */
function matchingIds(campaignId: RawBuilder<unknown>, { q, status, isWalked }: Way): RawBuilder<unknown> {
  if (!isWalked) return sql`select f.id from found_contacts(${campaignId}, ${q}, ${status}) as f (id)`;
  const ofStatus = status === null ? sql`true` : sql`status = ${status}`;
  return q === ''
    ? sql`select id from contact where campaign_id = ${campaignId} and deleted_at is null and ${ofStatus}`
    : sql`select contact_id as id from contact_search where campaign_id = ${campaignId} and ${ofStatus} and ${hasText(sql`letters`, q)}`;
}
