import type { CallPerson } from '#actors/call/people.ts';
import { HANDED_BACK, HANDED_OVER } from '#actors/conference/context.ts';
import type { Platform } from '#platform/platform.ts';
import type { ConferenceLeg, ConferenceSession } from './conference.ts';

/** Most legs in one report: the open ones, and the newest of the others. */
const MAX_REPORTED = 50;

/**
 * Reports the legs of our people to the call of their customer, whole each time; the call takes from it what is news. A call that is not kept
 * any more, or that no campaign made, has nobody to show it to.
 *
 * Source: D9.7
 */
export async function reportLegs(
  { actors, clock }: Pick<Platform, 'actors' | 'clock'>,
  session: ConferenceSession,
  commandId: string,
): Promise<void> {
  const { id, requestId } = session;
  if (requestId === null) return;
  const people = peopleOf(session, clock.now());
  const envelope = { to: { type: 'call', id: requestId }, event: { type: 'legsReported', people } } as const;
  if (people.length > 0) await actors.send({ ...envelope, commandId: `legs:${id}:${commandId}` });
}

function peopleOf({ legs }: ConferenceSession, now: number): CallPerson[] {
  const people = legs.flatMap(leg => personOf(leg, now) ?? []);
  const here = people.filter(({ leftAt }) => leftAt === null);
  const gone = people.filter(({ leftAt }) => leftAt !== null);
  return [...gone.slice(-MAX_REPORTED), ...here];
}

function personOf({ legUuid, agentId, userId, status, joinedAt, endedAt, endCause }: ConferenceLeg, now: number): CallPerson | null {
  const leftAt = status === 'ended' ? (endedAt ?? now) : null;
  return agentId === null ? null : { legUuid, agentId, userId, joinedAt, leftAt, hasHandedOver: isHandedOn(endCause) };
}

/** Another person has the customer, or the bot has them back. */
function isHandedOn(endCause: string | null): boolean {
  return endCause === HANDED_OVER || endCause === HANDED_BACK;
}
