import { createHash } from 'node:crypto';
import { type Channel, mapChannel } from '../feeds/fan-out.ts';
import type { FeedEvent } from '../feeds/feed.ts';

/** A member of a subscription's union, without the fields that every event has. */
export interface Member {
  __typename: string;
  [field: string]: unknown;
}

/** A member with the fields that every event has. */
type StreamEvent = Member & { at: number; cursor: string };

/** Names the snapshot and the changes of one subscription's state. */
export interface StateForm<State, Change> {
  snapshot(state: State): Member;
  change(change: Change): Member;
}

/** Converts the events of a state to members of a union. */
export function stateChannel<State, Change>(
  channel: Channel<FeedEvent<State, Change>>,
  form: StateForm<State, Change>,
): Channel<StreamEvent> {
  return mapChannel(channel, event => {
    const { at, cursor } = event;
    if (event.kind === 'snapshot') return { ...form.snapshot(event.state), at, cursor };
    if (event.kind === 'change') return { ...form.change(event.change), at, cursor };
    return { __typename: 'Resync', reason: event.reason, at, cursor };
  });
}

/**
 * Binds cursors to a field, its filter and its viewer: no other channel accepts them.
 *
 * Why: a position from another selection of changes would silently skip changes that only this one shows
 */
export function boundTo(field: string, channel: Channel<StreamEvent>): Channel<StreamEvent> {
  const binding = `${createHash('sha256').update(`${field} ${channel.key}`).digest('base64url').slice(0, 8)}:`;
  const bound = mapChannel(channel, event => ({ ...event, cursor: binding + event.cursor }));
  const own = (cursor: string) => (cursor.startsWith(binding) ? cursor.slice(binding.length) : '');
  return { ...bound, since: cursor => bound.since(cursor === null ? null : own(cursor)) };
}

/** Source of a subscription field: its events are the values of the field. */
export interface SubscriptionSource {
  channel: Channel<StreamEvent>;
  /** Cursor from which the client continues. */
  after: string | null;
  /** Called when a subscriber joins; the returned function is called when its subscription ends, for whatever reason. */
  onJoin?: () => (() => void) | null;
}
