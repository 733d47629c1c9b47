import type { Channel } from '../feeds/fan-out.ts';
import type { StreamEvent } from './state-events.ts';
/** Source of a subscription field: its events are the values of the field. */
export interface SubscriptionSource {
  channel: Channel<StreamEvent>;
  /** Cursor from which the client continues. */
  after: string | null;
  /** Called when a subscriber joins; the returned function is called when its subscription ends, for whatever reason. */
  onJoin?: () => (() => void) | null;
}
