import type { ConferenceSession } from './conference.ts';
import type { ConferenceStore } from './ports-conference-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';

/** Poll interval while a conference is watched, in ms; a poll reads one row and its legs by id. */
const POLL_MS = 500;

export interface ConferenceStateDeps extends Pick<Platform, 'clock' | 'log'> {
  conferences: Pick<ConferenceStore, 'find'>;
}

/** One conference with its legs. Each change carries the whole conference; the last one is its end. Source: OCS 4.15 */
export function conferenceSource(deps: ConferenceStateDeps, conferenceId: number): Source<ConferenceSession, ConferenceSession> {
  return polledSource(deps, {
    what: 'a conference',
    read: () => deps.conferences.find(conferenceId),
    changes: wholeWhenOther,
    isLast: ({ status }) => status === 'ended',
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}
