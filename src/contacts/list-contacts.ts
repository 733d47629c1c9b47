import { type RawBuilder, sql } from 'kysely';
import { anywhere } from '#platform/postgres/filters.ts';
import { CONTACT_COLUMNS } from './contact-store.ts';
import { intIds } from '#platform/postgres/values.ts';
import type { Contact, ContactSearch, ContactsPart } from './contact.ts';
import {
  cut,
  cutEach,
  cutOne,
  inOrder,
  isBeyond,
  ofEach,
  type OrderField,
  type Page,
  type PageRequest,
  REQUESTED_ID,
  requireRow,
  type Slice,
  type SliceRequest,
  type Window,
} from '#platform/postgres/listing.ts';
import { contactConditions, type ContactFilter, isNarrowing, narrowed } from './contact-filter.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import type { Platform } from '#platform/platform.ts';

/** `filter` narrows further and is never cached. */
export type ContactQuery = ContactSearch & { filter?: ContactFilter };

type ContactReads = ContactsPart & Pick<Platform, 'db'>;

/**
 * Lists contacts, newest first; the text matches anywhere in number, name and remark.
 *
 * Errors: NOT_FOUND when the campaign does not exist
 * Source: OCS 4.6
 */
export async function listContacts(app: ContactReads, campaignId: number, query: ContactQuery & PageRequest): Promise<Page<Contact>> {
  await requireRow(app, CAMPAIGN_TABLE, campaignId, '活动');
  const { page, pageSize } = query;
  const [total = 0] = await countContacts(app, [campaignId], query);
  const offset = (page - 1) * pageSize;
  if (offset >= total) return { rows: [], page, pageSize, total };
  const window = nearer({ limit: pageSize, offset }, total);
  const isWalked = meetsSoon(query.q, { total, reach: window.offset + window.limit });
  const rows = contactRows(sql`${campaignId}::int`, { ...query, isWalked }, window);
  const [found, hold] = await Promise.all([app.db.rows(sql<Contact>`${rows} order by k.id desc`), readCommonHold(app, campaignId)]);
  return { rows: hold === null ? found : found.map(row => underHold(row, hold)), page, pageSize, total };
}

/** A hold on every contact of a campaign that is otherwise due. */
interface CommonHold {
  reason: 'no_runtime';
  /** Database time, UTC ms. */
  now: number;
}

/** The hold is a state of the campaign rather than a column of each contact, because it ends for all contacts at once. Source: D7.10 */
async function readCommonHold({ db }: Pick<Platform, 'db'>, campaignId: number): Promise<CommonHold | null> {
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

/** Reads the same rows from the nearer end of the list; they are sorted afterwards. */
function nearer({ limit, offset }: { limit: number; offset: number }, total: number): Window & { offset: number } {
  const behind = total - offset - limit;
  return offset === 0 || behind >= offset
    ? { limit, offset }
    : { limit: Math.min(limit, total - offset), offset: Math.max(behind, 0), isAscending: true };
}

/** Reads each campaign by the plan that suits it, since a search may match few or many of its contacts; one statement per plan. */
export async function sliceContacts(
  { db, contacts }: ContactReads,
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
        db.rows(ofEach(ids, contactRows(REQUESTED_ID, { ...request, isWalked }, window), window, orderIn('slice', window))),
      );
    return (await Promise.all(rows)).flat();
  });
}

/** Counts the matches of each campaign, in the order of `campaignIds`, which must be distinct. */
export async function countContacts(
  { db, contacts }: ContactReads,
  campaignIds: readonly number[],
  query: ContactQuery,
): Promise<number[]> {
  if (!isNarrowing(query.filter)) return contacts.count(campaignIds, query);
  const found = matchingIds(REQUESTED_ID, { ...query, isWalked: query.q === '' });
  const rows = await db.rows(sql<{ id: number; total: number }>`
    select asked.id, (select count(*) from (${narrowed(found, query.filter)}) as m) as total from unnest(${intIds(campaignIds)}) as asked (id)`);
  const totals = new Map(rows.map(({ id, total }) => [id, total]));
  return campaignIds.map(id => totals.get(id) ?? 0);
}

/**
 * Reads contacts of all campaigns as a slice of one list.
 *
 * Why: each campaign's contacts come from its own indexes, at most a slice of each, and the newest of them all are kept
 */
export async function sliceAllContacts(app: ContactReads, request: SliceRequest & ContactQuery): Promise<Slice<Contact>> {
  const campaignIds = await everyCampaign(app);
  const found = request.q === '' ? [] : await app.contacts.count(campaignIds, request);
  return cutOne(request, window => {
    const walked = (_id: number, index: number) => meetsSoon(request.q, { total: found[index] ?? 0, reach: window.limit });
    const ways = [
      { isWalked: true, ids: campaignIds.filter(walked) },
      { isWalked: false, ids: campaignIds.filter((id, index) => !walked(id, index)) },
    ];
    const parts = ways.map(({ isWalked, ids }) => {
      const chosen = sql`select m.id from (${narrowed(matchingIds(REQUESTED_ID, { ...request, isWalked }), request.filter)}) as m
        where ${isBeyond(sql`m.id`, window)} order by ${inOrder(sql`m.id`, window)} ${cut(window)}`;
      return sql`select part.id from unnest(${intIds(ids)}) as asked (id) cross join lateral (${chosen}) as part`;
    });
    return app.db.rows(sql<Contact>`
      select ${CONTACT_COLUMNS} from contact k
      join (select id from (${sql.join(parts, sql` union all `)}) as all_parts order by ${inOrder(sql`id`, window)} ${cut(window)}) as chosen
        on chosen.id = k.id
      order by ${inOrder(sql`k.id`, window)}`);
  });
}

/** Counts the matches in all campaigns. */
export async function countAllContacts(app: ContactReads, query: ContactQuery): Promise<number> {
  const counts = await countContacts(app, await everyCampaign(app), query);
  return counts.reduce((sum, count) => sum + count, 0);
}

interface ContactWalk extends ContactQuery {
  /** Null for all campaigns. */
  campaignId: number | null;
}

/** Ids of matching contacts after one and up to another, the lowest first: a walk through all of them takes one range after the other. */
export function contactIdsBetween(
  query: ContactWalk,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): RawBuilder<{ id: number }> {
  const { from, conditions } = walked(query);
  const where = sql.join([...conditions, sql`k.id > ${after}::bigint`, sql`k.id <= ${upTo}::bigint`], sql` and `);
  return sql<{ id: number }>`select k.id from ${from} where ${where} order by k.id limit ${limit}`;
}

/** Number of contacts of such a walk. */
export function contactTotal(query: ContactWalk): RawBuilder<number> {
  const { from, conditions } = walked(query);
  return sql<number>`(select count(*) from ${from} where ${sql.join(conditions, sql` and `)})`;
}

function walked({ campaignId, q, status, filter }: ContactWalk): { from: RawBuilder<unknown>; conditions: RawBuilder<unknown>[] } {
  const { from, has } = texts(q);
  const ofCampaign = campaignId === null ? [] : [sql`k.campaign_id = ${campaignId}`];
  const ofStatus = status === null ? [] : [sql`k.status = ${status}`];
  return { from, conditions: [sql`k.deleted_at is null`, ...ofCampaign, ...ofStatus, ...has, ...contactConditions(filter)] };
}

async function everyCampaign({ db }: Pick<Platform, 'db'>): Promise<number[]> {
  const rows = await db.rows(sql<{ id: number }>`select id from campaign where deleted_at is null order by id`);
  return rows.map(({ id }) => id);
}

type Way = ContactQuery & { isWalked: boolean };

/** Selects the ids from an index alone and reads only the rows of the window, in no order. */
function contactRows(campaignId: RawBuilder<unknown>, way: Way, window: Window): RawBuilder<Contact> {
  const chosen = columnOf(window) === null ? byTime(campaignId, way, window) : byColumn(campaignId, way, window);
  return sql<Contact>`select ${CONTACT_COLUMNS} from contact k join (${chosen}) as chosen on chosen.id = k.id`;
}

function byTime(campaignId: RawBuilder<unknown>, way: Way, window: Window): RawBuilder<unknown> {
  return sql`
    select m.id from (${narrowed(matchingIds(campaignId, way), way.filter)}) as m where ${isBeyond(sql`m.id`, window)}
    order by ${inOrder(sql`m.id`, window)} ${cut(window)}`;
}

/** Columns that contacts can be sorted by, besides the creation time; each has an index that begins with the campaign. */
export const CONTACT_ORDERS: Partial<Record<OrderField, string>> = { name: 'customer_name', updatedAt: 'updated_at' };

function columnOf({ by = 'createdAt' }: Window): string | null {
  return CONTACT_ORDERS[by] ?? null;
}

function orderIn(table: string, window: Window): RawBuilder<unknown> {
  const column = columnOf(window);
  const byId = inOrder(sql.ref(`${table}.id`), window);
  return column === null ? byId : sql`${inOrder(sql.ref(`${table}.${column}`), window)}, ${byId}`;
}

/** Reads in the order of an index, or sorts the few matches. A cursor names only a row: its position is where that row is now. */
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

/** Source and conditions of a walk through all contacts that checks each for the text. */
function texts(q: string): { from: RawBuilder<unknown>; has: RawBuilder<unknown>[] } {
  if (q === '') return { from: sql`contact k`, has: [] };
  const from = sql`contact k join contact_search s on s.campaign_id = k.campaign_id and s.contact_id = k.id`;
  return { from, has: [hasText(sql`s.letters`, q)] };
}

/** Separator of the texts within `contact_search.letters`. */
const BETWEEN_TEXTS = '\u0001';
/** With more matches than this, a walk from the newest contact finds any page soon enough. */
const DENSE = 50_000;
/** With more matches than this, it does so for pages that end within `NEAR_SHARE` of them. */
const FAIRLY_DENSE = 5_000;
const NEAR_SHARE = 0.1;

/** The search index has no entry for so short a text: the walk examines the contacts up to the page, or all of the campaign. */
const ONE_LETTER = /^\p{ASCII}$/u;
const ONE_OR_TWO_LETTERS = /^\p{ASCII}{1,2}$/u;

/**
 * Whether a walk through the contacts in order soon meets enough of the `total` matches for a page that ends with match number `reach`.
 *
 * Why: few matches are read from the search index and sorted; many are found faster by walking in order. The separator of texts occurs in no
 *      text, so a walk for it would find nothing
 */
function meetsSoon(q: string, { total, reach }: { total: number; reach: number }): boolean {
  if (q.includes(BETWEEN_TEXTS)) return false;
  if (ONE_LETTER.test(q)) return reach <= total;
  return q === '' || total > DENSE || (total > FAIRLY_DENSE && reach <= total * NEAR_SHARE);
}

/** `like` finds one or two letters in half the time of `strpos`. */
function hasText(letters: RawBuilder<unknown>, q: string): RawBuilder<unknown> {
  return ONE_OR_TWO_LETTERS.test(q) ? sql`${letters} like ${anywhere(q.toLowerCase())}` : sql`strpos(${letters}, lower(${q})) > 0`;
}

/** Query for the ids of matching contacts in a campaign; `campaignId` is an SQL expression of type int. */
function matchingIds(campaignId: RawBuilder<unknown>, { q, status, isWalked }: Way): RawBuilder<unknown> {
  if (!isWalked) return sql`select f.id from found_contacts(${campaignId}, ${q}, ${status}) as f (id)`;
  const ofStatus = status === null ? sql`true` : sql`status = ${status}`;
  return q === ''
    ? sql`select id from contact where campaign_id = ${campaignId} and deleted_at is null and ${ofStatus}`
    : sql`select contact_id as id from contact_search where campaign_id = ${campaignId} and ${ofStatus} and ${hasText(sql`letters`, q)}`;
}
