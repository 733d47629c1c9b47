import { type AttemptFilter, requireNarrow } from '#attempts/attempt-store.ts';
import type { ContactQuery } from '#contacts/list-contacts.ts';
import { waitingFor } from '#dialling/explain.ts';
import { localTimeAt, startOfDay } from '#kernel/calendar.ts';
import type { Clock } from '#kernel/clock.ts';
import { invalidArgument } from '#kernel/errors.ts';
import { toInstantOrNull } from '#kernel/fields.ts';
import { keyed, type Region } from '#phone-numbers/dial-key.ts';
import type { SavedCallFilter, SavedContactFilter } from './follow-up.ts';

/** The place and time of reading a filter: relative days count from now in the business time zone. */
export interface Reading {
  clock: Pick<Clock, 'now'>;
  timeZone: string;
  region: Region;
}

/**
 * The filter of calls that a list stands for now.
 *
 * Errors: INVALID_ARGUMENT when it would scan every call, or gives two beginnings
 */
export function callQuery(app: Reading, { sinceDays, ...filter }: SavedCallFilter): AttemptFilter {
  const query = keyed({ ...withoutNulls(filter), ...spanOf(app, { ...filter, sinceDays }) }, app.region);
  requireNarrow(query);
  return query;
}

/** A list of contacts, of one campaign or of all. */
export interface ContactsOfList {
  campaignId: number | null;
  query: ContactQuery;
}

/**
 * The query of contacts that a list stands for now.
 *
 * Errors: INVALID_ARGUMENT for a reason without a campaign, or two beginnings; NOT_FOUND
 */
export async function contactQuery(
  app: Reading & Parameters<typeof waitingFor>[0],
  { campaignId = null, q, status, notDialedReason, sinceDays, ...filter }: SavedContactFilter,
): Promise<ContactsOfList> {
  const waiting = notDialedReason ? { waiting: await waitingFor(app, requireCampaign(campaignId), notDialedReason) } : {};
  const narrowing = keyed({ ...withoutNulls(filter), ...spanOf(app, { ...filter, sinceDays }) }, app.region);
  return { campaignId, query: { q: q ?? '', status: status ?? null, filter: { ...narrowing, ...waiting } } };
}

function requireCampaign(campaignId: number | null): number {
  if (campaignId === null) throw invalidArgument('contacts.notDialedReason', 'onlyTogether', { other: 'campaignId' });
  return campaignId;
}

/** The parameters with which REST exports the list as it stands now. */
export function exportMembers(app: Reading, filter: SavedCallFilter | SavedContactFilter) {
  const { sinceDays, ...members } = withoutNulls(filter);
  return { ...members, ...spanOf(app, { ...filter, sinceDays }) };
}

/** Texts that a form left empty narrow nothing, like absent members. */
export function withoutNulls<Filter extends object>(filter: Filter): { [Name in keyof Filter]?: Exclude<Filter[Name], null> } {
  const given = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return Object.fromEntries(given) as { [Name in keyof Filter]?: Exclude<Filter[Name], null> };
}

function spanOf(
  { clock, timeZone }: Reading,
  { from, to, sinceDays }: Pick<SavedCallFilter, 'from' | 'to' | 'sinceDays'>,
): { from: number | undefined; to: number | undefined } {
  const isMoving = sinceDays !== null && sinceDays !== undefined;
  if (isMoving && from) throw invalidArgument('sinceDays', 'notTogether', { other: 'from' });
  const begin = isMoving ? startOfDay(timeZone, localTimeAt(timeZone, clock.now()).day - sinceDays) : toInstantOrNull(from, timeZone);
  return { from: begin ?? undefined, to: toInstantOrNull(to, timeZone) ?? undefined };
}
