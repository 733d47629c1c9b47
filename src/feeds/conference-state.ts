import type { ConferenceSession } from '#model/conference.ts';
import type { ConferenceStore } from '#ports/conference-store.ts';
import type { Ports } from '#ports/ports.ts';
import type { Source } from './feed.ts';
import { polledSource, wholeWhenOther } from './polled-source.ts';

/** One row and its legs, by id, for as long as somebody watches. ms */
const POLL_MS = 500;

export interface ConferenceStateDeps extends Pick<Ports, 'clock' | 'log'> {
  conferences: Pick<ConferenceStore, 'find'>;
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
