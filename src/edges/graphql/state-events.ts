import { type Channel, mapChannel } from '#feeds/fan-out.ts';
import type { FeedEvent } from '#feeds/feed.ts';

/** A member of a subscription's union without what every event has. */
export interface Member {
  __typename: string;
  [field: string]: unknown;
}

/** How one subscription names what is shown of its state. */
export interface StateForm<State, Change> {
  /** `Resync` unless it has one of its own. */
  resync?: string;
  snapshot(state: State): Member;
  change(change: Change): Member;
}

/** The events of a state as members of a union. */
export function stateChannel<State, Change>(
  channel: Channel<FeedEvent<State, Change>>,
  form: StateForm<State, Change>,
): Channel<Member & { at: number; cursor: string }> {
  return mapChannel(channel, event => {
    const { at, cursor } = event;
    if (event.kind === 'snapshot') return { ...form.snapshot(event.state), at, cursor };
    if (event.kind === 'change') return { ...form.change(event.change), at, cursor };
    return { __typename: form.resync ?? 'Resync', reason: event.reason, at, cursor };
  });
}
