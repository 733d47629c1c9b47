import { createHash } from 'node:crypto';
import { type Channel, mapChannel } from '#feeds/fan-out.ts';
import type { FeedEvent } from '#feeds/feed.ts';

/** A member of a subscription's union without what every event has. */
export interface Member {
  __typename: string;
  [field: string]: unknown;
}

/** A member with what every event has. */
export type StreamEvent = Member & { at: number; cursor: string };

/** How one subscription names what is shown of its state. */
export interface StateForm<State, Change> {
  snapshot(state: State): Member;
  change(change: Change): Member;
}

/** The events of a state as members of a union. */
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
 * The channel with cursors that no other field, filter or viewer understands.
 *
 * Why: positions of another choice of changes would leave out, in silence, what only this one shows
 */
export function boundTo(field: string, channel: Channel<StreamEvent>): Channel<StreamEvent> {
  const binding = `${createHash('sha256').update(`${field} ${channel.key}`).digest('base64url').slice(0, 8)}:`;
  const bound = mapChannel(channel, event => ({ ...event, cursor: binding + event.cursor }));
  const own = (cursor: string) => (cursor.startsWith(binding) ? cursor.slice(binding.length) : '');
  return { ...bound, since: cursor => bound.since(cursor === null ? null : own(cursor)) };
}
