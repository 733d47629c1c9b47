import { notFound } from '#kernel/errors.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';
import type { Platform } from '#platform/platform.ts';
import type { ConferencesPart } from './conference-actor.ts';
import { type ConferenceSession, MAX_LISTED_CONFERENCES } from './conference.ts';

/** Poll interval while a conference is watched, in ms; a poll reads one row and its legs by id. */
const POLL_MS = 500;

/** One conference with its legs. Each change carries the whole conference; the last one is its end. Source: OCS 4.15 */
export function conferenceSource(
  app: Pick<ConferencesPart, 'conferences'> & Pick<Platform, 'clock' | 'log'>,
  conferenceId: number,
): Source<ConferenceSession, ConferenceSession> {
  return polledSource(app, {
    what: 'a conference',
    read: () => app.conferences.find(conferenceId),
    changes: wholeWhenOther,
    isLast: ({ status }) => status === 'ended',
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}

/** Lists running sessions with their current member counts, newest first. Source: OCS 4.15 */
export function listConferences({ conferences }: Pick<ConferencesPart, 'conferences'>): Promise<ConferenceSession[]> {
  return conferences.listRunning(MAX_LISTED_CONFERENCES);
}

/** Errors: NOT_FOUND. Source: OCS 4.15 */
export async function getConference(
  { conferences }: Pick<ConferencesPart, 'conferences'>,
  conferenceId: number,
): Promise<ConferenceSession> {
  const session = await conferences.find(conferenceId);
  if (session === null) throw notFound('会议');
  return session;
}
