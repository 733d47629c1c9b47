import type { CaptionFragment, LiveCallsSubscription, LiveFactsFragment } from './live-calls.generated.ts';

/** A live call with its newest captions. Immutable: each change makes a new object. */
export interface WatchedCall extends LiveFactsFragment {
  /** Oldest first; at most the newest `CAPTIONS_KEPT`. */
  captions: readonly CaptionFragment[];
}

/** By call key, in order of arrival. */
export type WatchedCalls = Map<string, WatchedCall>;

export type LiveCallsEvent = LiveCallsSubscription['liveCalls'];

/** How many captions a card shows. */
const CAPTIONS_KEPT = 3;

/** Effect of an event: the keys of the calls it changed, and whether more than captions changed, so that lists must be sorted again. */
export interface Touched {
  keys: readonly string[];
  isListChanged: boolean;
}

const NOTHING: Touched = { keys: [], isListChanged: false };

/** Applies an event to `calls`, in place. */
export function applyEvent(calls: WatchedCalls, event: LiveCallsEvent): Touched {
  switch (event.__typename) {
    case 'LiveCallsSnapshot':
      return replaceAll(calls, event.calls);
    case 'LiveCallSegment':
      return say(calls, event);
    case 'LiveCallLeft':
      return calls.delete(event.callKey) ? { keys: [event.callKey], isListChanged: true } : NOTHING;
    case 'Resync':
      return NOTHING;
    case 'LiveCallJoined':
    case 'LiveCallResync':
      return put(calls, { ...event.call, captions: event.call.segments });
    case 'LiveCallStarted':
    case 'LiveCallChanged':
    case 'LiveCallEnded':
    default:
      return put(calls, { ...event.call, captions: calls.get(event.call.callKey)?.captions ?? [] });
  }
}

function replaceAll(calls: WatchedCalls, snapshot: Extract<LiveCallsEvent, { calls: unknown }>['calls']): Touched {
  const keys = new Set([...calls.keys(), ...snapshot.map(({ callKey }) => callKey)]);
  calls.clear();
  for (const call of snapshot) calls.set(call.callKey, { ...call, captions: call.segments });
  return { keys: [...keys], isListChanged: true };
}

function put(calls: WatchedCalls, call: WatchedCall): Touched {
  calls.set(call.callKey, call);
  return { keys: [call.callKey], isListChanged: true };
}

function say(calls: WatchedCalls, { call: { callKey, currentNodeId }, segment }: Extract<LiveCallsEvent, { segment: unknown }>): Touched {
  const call = calls.get(callKey);
  if (!call) return NOTHING;
  calls.set(callKey, { ...call, currentNodeId, captions: withCaption(call.captions, segment) });
  return { keys: [callKey], isListChanged: false };
}

/** A newer text of the same utterance replaces the older one. */
function withCaption(captions: readonly CaptionFragment[], said: CaptionFragment): CaptionFragment[] {
  const place = captions.findIndex(({ segmentId }) => segmentId === said.segmentId);
  return place === -1 ? [...captions, said].slice(-CAPTIONS_KEPT) : captions.with(place, said);
}
