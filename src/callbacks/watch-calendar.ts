import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';
import type { Platform } from '#platform/platform.ts';
import { countRows } from '#platform/postgres/listing.ts';
import type { Callback } from './callback.ts';
import { callbackList, type CallbackSearch } from './callback-store.ts';

/** Poll interval, in ms: calls, campaigns and other instances keep callbacks or give them up. */
const POLL_MS = 1_000;

/** Which callbacks a calendar shows. */
export interface CalendarScope {
  search: CallbackSearch;
  /** Most callbacks that it shows. */
  first: number;
}

export interface Calendar {
  /** Those that are due first, the earliest first. */
  callbacks: readonly Callback[];
  /** How many the search finds. */
  total: number;
}

/** One key for equal scopes, which share their reads. */
export function calendarKey({ search, first }: CalendarScope): string {
  const { campaignId, contactId, agentId, status, from, to } = search;
  return JSON.stringify([campaignId, contactId, agentId, status, from, to, first]);
}

/** The callbacks of a calendar; a change carries all of them. Source: D7.12 */
export function calendarSource(app: Pick<Platform, 'db' | 'clock' | 'log'>, scope: CalendarScope): Source<Calendar, Calendar> {
  return polledSource(app, {
    what: 'a calendar of callbacks',
    read: () => readCalendar(app, scope),
    changes: wholeWhenOther,
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}

async function readCalendar(app: Pick<Platform, 'db'>, { search, first }: CalendarScope): Promise<Calendar> {
  const window = { limit: first, by: 'dueAt', isAscending: true } as const;
  const [callbacks, total] = await Promise.all([app.db.rows(callbackList.rows(search, window)), countRows(app, callbackList, search)]);
  return { callbacks, total };
}
