import { attemptList } from '#attempts/attempt-store.ts';
import { CONTACT_TABLE } from '#contacts/contact-store.ts';
import type { Contact, ContactsPart } from '#contacts/contact.ts';
import { countAllContacts, countContacts, sliceAllContacts, sliceContacts } from '#contacts/list-contacts.ts';
import { type Slice, type SliceRequest, countRows, readSlice, rowsById } from '#platform/postgres/listing.ts';
import type { Platform } from '#platform/platform.ts';
import type { FollowUpList, SavedCallFilter, SavedContactFilter } from './follow-up.ts';
import { callQuery, contactQuery } from './saved-queries.ts';

export type ListApp = ContactsPart & Pick<Platform, 'db'> & Parameters<typeof contactQuery>[0];

/** How many calls or contacts the list has now. */
export async function countOfList(app: ListApp, { calls, contacts }: Pick<FollowUpList, 'calls' | 'contacts'>): Promise<number> {
  if (calls !== null) return countRows(app, attemptList, callQuery(app, calls));
  if (contacts === null) return 0;
  const { campaignId, query } = await contactQuery(app, contacts);
  if (campaignId === null) return countAllContacts(app, query);
  return (await countContacts(app, [campaignId], query))[0] ?? 0;
}

/** Rows per statement. */
const SLICE_ROWS = 1_000;

/**
 * The contacts of a list, oldest first: those of its calls, each once.
 *
 * Shape: at most `limit`; one more than the limit tells that there are more
 */
export async function contactsOfList(app: ListApp, { calls, contacts }: FollowUpList, limit: number): Promise<Contact[]> {
  if (calls !== null) return ofCalls(app, calls, limit);
  return contacts === null ? [] : ofContacts(app, contacts, limit);
}

async function ofCalls(app: ListApp, filter: SavedCallFilter, limit: number): Promise<Contact[]> {
  const query = callQuery(app, filter);
  const contactIds = new Set<number>();
  for await (const calls of walk(request => readSlice(app, attemptList, { ...query, ...request }))) {
    for (const { contactId } of calls) contactIds.add(contactId);
    if (contactIds.size > limit) break;
  }
  const found = await rowsById(app, CONTACT_TABLE, [...contactIds].slice(0, limit + 1));
  return found.sort((a, b) => a.id - b.id);
}

async function ofContacts(app: ListApp, filter: SavedContactFilter, limit: number): Promise<Contact[]> {
  const { campaignId, query } = await contactQuery(app, filter);
  const found: Contact[] = [];
  const read = async (request: SliceRequest): Promise<Slice<Contact>> => {
    if (campaignId === null) return sliceAllContacts(app, { ...query, ...request });
    return (await sliceContacts(app, [campaignId], { ...query, ...request }))[0] ?? { rows: [], hasMore: false };
  };
  for await (const rows of walk(read)) {
    found.push(...rows);
    if (found.length > limit) break;
  }
  return found.slice(0, limit + 1);
}

/** Reads a list from its oldest row to its end; the reader stops it after enough rows. */
async function* walk<Row extends { id: number }>(read: (request: SliceRequest) => Promise<Slice<Row>>): AsyncGenerator<readonly Row[]> {
  let beyond: number | null = null;
  for (;;) {
    const { rows, hasMore }: Slice<Row> = await read({ limit: SLICE_ROWS, beyond, isAscending: true });
    yield rows;
    beyond = rows.at(-1)?.id ?? null;
    if (!hasMore || beyond === null) return;
  }
}
