import type { CaptionFragment, LiveCallsSubscription, LiveFactsFragment } from './live-calls.generated.ts';

/** A live call with the newest that was said in it. Never changed, replaced. */
export interface WatchedCall extends LiveFactsFragment {
  /** Oldest first, the newest `CAPTIONS_KEPT`. */
  captions: readonly CaptionFragment[];
}

/** By key of the call, in the order in which they came. */
export type WatchedCalls = Map<string, WatchedCall>;

export type LiveCallsEvent = LiveCallsSubscription['liveCalls'];

/** What a card shows of what was said. */
const CAPTIONS_KEPT = 3;

/** What an event has touched: calls by key, and whether others than captions changed, so that lists are ordered anew. */
export interface Touched {
  keys: readonly string[];
  isListChanged: boolean;
}

const NOTHING: Touched = { keys: [], isListChanged: false };

/** Takes an event into `calls`. */
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

function replaceAll(calls: WatchedCalls, told: Extract<LiveCallsEvent, { calls: unknown }>['calls']): Touched {
  const keys = new Set([...calls.keys(), ...told.map(({ callKey }) => callKey)]);
  calls.clear();
  for (const call of told) calls.set(call.callKey, { ...call, captions: call.segments });
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

/** A later text of the same utterance stands in its place. */
function withCaption(captions: readonly CaptionFragment[], said: CaptionFragment): CaptionFragment[] {
  const place = captions.findIndex(({ segmentId }) => segmentId === said.segmentId);
  return place === -1 ? [...captions, said].slice(-CAPTIONS_KEPT) : captions.with(place, said);
}
