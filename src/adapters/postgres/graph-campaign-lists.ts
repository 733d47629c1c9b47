import { type RawBuilder, sql } from 'kysely';
import type { ContactSearch, GraphStore, Slice, SliceRequest } from '#ports/graph-store.ts';
import type { Attempt, Batch, Contact } from '#ports/records.ts';
import { ATTEMPT_COLUMNS } from './attempt-columns.ts';
import { attemptFilters, campaignFilter, type LeadingFilter, tallyFilters } from './attempt-filter.ts';
import { attemptTotal } from './attempt-tally.ts';
import { BATCH_COLUMNS } from './batch-columns.ts';
import { CONTACT_COLUMNS } from './contact-columns.ts';
import { matchingIds, meetsSoon } from './contact-repository.ts';
import { ContactTotals } from './contact-totals.ts';
import type { Database } from './database.ts';
import { before, cutEach } from './graph-slice.ts';
import { intIds } from './values.ts';

type CampaignLists = Pick<
  GraphStore,
  'sliceContacts' | 'sliceAttemptsOf' | 'sliceBatches' | 'countContacts' | 'countAttemptsOf' | 'countBatches'
>;

/** The campaign that a statement of `ofEach` looks at. */
const ASKED = sql`asked.id`;

/** The lists of campaigns, each for many campaigns in one statement. */
export function graphCampaignLists(db: Database): CampaignLists {
  const totals = new ContactTotals(db);
  return {
    sliceContacts: (campaignIds, slice) => sliceContacts(db, totals, { campaignIds, slice }),
    sliceAttemptsOf: (campaignIds, slice) =>
      cutEach(campaignIds, slice, limit =>
        db.rows(ofEach<Attempt>(campaignIds, attemptSlice(slice, { ...campaignFilter(ASKED, slice), limit }))),
      ),
    sliceBatches: (campaignIds, slice) =>
      cutEach(campaignIds, slice, limit => db.rows(ofEach<Batch>(campaignIds, batchSlice(slice, limit)))),
    countContacts: (campaignIds, query) => totals.count(campaignIds, query),
    countAttemptsOf: (campaignIds, query) => {
      const conditions = [sql`a.campaign_id = ${ASKED}`, ...tallyFilters({ ...query, campaignId: undefined })];
      return countEach(db, campaignIds, attemptTotal(conditions, query));
    },
    countBatches: campaignIds => countEach(db, campaignIds, sql`(select count(*) from batch where campaign_id = ${ASKED})`),
  };
}

/** A search leads to few contacts of one campaign and to many of another: each is read in its own way, and each way is one statement. */
async function sliceContacts(
  db: Database,
  totals: ContactTotals,
  { campaignIds, slice }: { campaignIds: readonly number[]; slice: SliceRequest & ContactSearch },
): Promise<Slice<Contact>[]> {
  const found = slice.q === '' ? [] : await totals.count(campaignIds, slice);
  return cutEach(campaignIds, slice, async limit => {
    const isWalked = campaignIds.map((_id, index) => meetsSoon(slice.q, { total: found[index] ?? 0, reach: limit }));
    const ways = [true, false].map(way => ({ way, ids: campaignIds.filter((_id, index) => isWalked[index] === way) }));
    const rows = ways
      .filter(({ ids }) => ids.length > 0)
      .map(({ way, ids }) => db.rows(ofEach<Contact>(ids, contactSlice(slice, { isWalked: way, limit }))));
    return (await Promise.all(rows)).flat();
  });
}

/** What `slice` gives for each campaign, newest first; the rows of one campaign are found as if it were asked for alone. */
function ofEach<Row>(campaignIds: readonly number[], slice: RawBuilder<unknown>): RawBuilder<Row> {
  return sql<Row>`
    select slice.* from unnest(${intIds(campaignIds)}) as asked (id) cross join lateral (${slice}) as slice order by slice.id desc`;
}

/** Only the rows of the slice are read. */
function contactSlice(slice: SliceRequest & ContactSearch, { isWalked, limit }: { isWalked: boolean; limit: number }): RawBuilder<unknown> {
  return sql`
    select ${CONTACT_COLUMNS} from contact k
    join (select m.id from (${matchingIds(ASKED, slice, { isWalked })}) as m where ${before(sql`m.id`, slice)}
          order by m.id desc limit ${limit}) as chosen on chosen.id = k.id`;
}

/** The ids come from the index that fits the filter; only the rows of the slice are read, in no order. */
export function attemptSlice(
  slice: SliceRequest,
  { condition, column, rest, limit }: LeadingFilter & { limit: number },
): RawBuilder<unknown> {
  const where = sql.join([condition, before(sql`a.id`, slice), ...attemptFilters(rest)], sql` and `);
  return sql`
    select ${ATTEMPT_COLUMNS} from attempt a
    join (select a.id from attempt a where a.deleted_at is null and ${where}
          order by ${column ? sql`${column}, a.id desc` : sql`a.id desc`} limit ${limit}) as chosen on chosen.id = a.id`;
}

function batchSlice(slice: SliceRequest, limit: number): RawBuilder<unknown> {
  return sql`
    select ${BATCH_COLUMNS} from batch where campaign_id = ${ASKED} and ${before(sql`batch.id`, slice)} order by batch.id desc limit ${limit}`;
}

async function countEach(db: Database, campaignIds: readonly number[], total: RawBuilder<unknown>): Promise<number[]> {
  const rows = await db.rows(sql<{ id: number; total: number }>`
    select asked.id, ${total} as total from unnest(${intIds(campaignIds)}) as asked (id)`);
  const totals = new Map(rows.map(row => [row.id, row.total]));
  return campaignIds.map(id => totals.get(id) ?? 0);
}
