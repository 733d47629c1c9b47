import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { ConferenceSession, ConferenceStore } from '#ports/conference-store.ts';
import type { Source } from './feed.ts';
import { polledSource, wholeWhenOther } from './polled-source.ts';

/** One row and its legs, by id, for as long as somebody watches. ms */
const POLL_MS = 500;

export interface ConferenceStateDeps {
  conferences: Pick<ConferenceStore, 'find'>;
  clock: Clock;
  log: Log;
}

/** One conference with its legs; each change is the whole, its end the last word. Source: OCS 4.15 */
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
