import type { WatchedCall } from '../../live/call-changes.ts';
import type { OpenCallFactsFragment, OpenCallSubscription } from './call-panel.generated.ts';

/** The open call with its whole transcript, oldest first. */
export interface OpenCall extends OpenCallFactsFragment, Pick<WatchedCall, 'captions'> {}

/**
 * The call after an event; null before the first event, or when there is no such call. A call that has left the stream keeps its last
 * state.
 */
export function openCall(before: OpenCall | null, { liveCall: event }: OpenCallSubscription): OpenCall | null {
  switch (event.__typename) {
    case 'LiveCallsSnapshot': {
      const [call] = event.calls;
      return call ? { ...call, captions: call.segments } : before;
    }
    case 'LiveCallJoined':
    case 'LiveCallResync':
      return { ...event.call, captions: event.call.segments };
    case 'LiveCallSegment':
      return before && { ...before, currentNodeId: event.call.currentNodeId, captions: withCaption(before.captions, event.segment) };
    case 'LiveCallLeft':
    case 'Resync':
      return before;
    case 'LiveCallStarted':
    case 'LiveCallChanged':
    case 'LiveCallEnded':
    default:
      return { ...event.call, captions: before?.captions ?? [] };
  }
}

function withCaption(captions: OpenCall['captions'], said: OpenCall['captions'][number]): OpenCall['captions'] {
  const place = captions.findIndex(({ segmentId }) => segmentId === said.segmentId);
  return place === -1 ? [...captions, said] : captions.with(place, said);
}
