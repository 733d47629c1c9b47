import type { WatchedCall } from '../../live/call-changes.ts';
import type { OpenCallFactsFragment, OpenCallSubscription } from './call-panel.generated.ts';

/** The open call with its whole transcript, oldest first. */
export interface OpenCall extends OpenCallFactsFragment, Pick<WatchedCall, 'captions'> {
  /** When the user ceased to see it; its facts are the last ones then. Null while they see it. */
  goneAt: string | null;
}

/**
 * The call after an event; null before the first event, or when there is no such call. A call that has left the stream keeps its last
 * state.
 */
export function openCall(before: OpenCall | null, { liveCall: event }: OpenCallSubscription): OpenCall | null {
  switch (event.__typename) {
    case 'LiveCallsSnapshot': {
      const [call] = event.calls;
      return call ? { ...call, captions: call.segments, goneAt: null } : gone(before, event.at);
    }
    case 'LiveCallJoined':
    case 'LiveCallResync':
      return { ...event.call, captions: event.call.segments, goneAt: null };
    case 'LiveCallSegment':
      return before && { ...before, currentNodeId: event.call.currentNodeId, captions: withCaption(before.captions, event.segment) };
    case 'LiveCallLeft':
      return gone(before, event.at);
    case 'Resync':
      return before;
    case 'LiveCallStarted':
    case 'LiveCallChanged':
    case 'LiveCallEnded':
    default:
      return { ...event.call, captions: before?.captions ?? [], goneAt: null };
  }
}

function gone(before: OpenCall | null, at: string): OpenCall | null {
  return before && { ...before, goneAt: before.goneAt ?? at };
}

/** How a call ceased to be the user's: they or another gave it back to the bot, never answered it, or their phone left; or they only watched. */
export type Leaving = 'HANDED_BACK' | 'MISSED' | 'LEFT' | 'RELEASED';

export function leavingOf({ people, guidance }: Pick<OpenCall, 'people' | 'guidance'>, userId: string): Leaving {
  const own = people.filter(person => person.userId === userId);
  if (own.length === 0) return 'RELEASED';
  if (own.every(({ joinedAt }) => joinedAt === null)) return 'MISSED';
  return guidance.some(({ kind }) => kind === 'HAND_BACK') ? 'HANDED_BACK' : 'LEFT';
}

function withCaption(captions: OpenCall['captions'], said: OpenCall['captions'][number]): OpenCall['captions'] {
  const place = captions.findIndex(({ segmentId }) => segmentId === said.segmentId);
  return place === -1 ? [...captions, said] : captions.with(place, said);
}
