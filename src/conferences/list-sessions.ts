import { notFound } from '#kernel/errors.ts';
import { type ConferenceSession, MAX_LISTED_CONFERENCES } from './conference.ts';
import type { ConferenceStore } from './ports-conference-store.ts';

export interface ReadConferenceDeps {
  conferences: Pick<ConferenceStore, 'listRunning' | 'find'>;
}

/** Lists running sessions with their current member counts, newest first. Source: OCS 4.15 */
export function listConferences({ conferences }: ReadConferenceDeps): Promise<ConferenceSession[]> {
  return conferences.listRunning(MAX_LISTED_CONFERENCES);
}

/** Errors: NOT_FOUND. Source: OCS 4.15 */
export async function getConference({ conferences }: ReadConferenceDeps, conferenceId: number): Promise<ConferenceSession> {
  const session = await conferences.find(conferenceId);
  if (session === null) throw notFound('会议');
  return session;
}
