import type { Channel } from './fan-out.ts';
import { type LiveCallScope, scopeKey } from './live-call-scope.ts';
import type { LiveCallsEvent, LiveCallsFeed } from './live-calls-feed.ts';

/** No cursor: what it stands for is never held. */
const LOST = '';

/** The live calls of one scope, for a fan-out. */
export function liveCallChannel(feed: Pick<LiveCallsFeed, 'follow' | 'since'>, scope: LiveCallScope): Channel<LiveCallsEvent> {
  return {
    key: scopeKey(scope),
    follow: listener => feed.follow(scope, listener),
    since: cursor => feed.since(scope, cursor),
    catchUp: () => feed.since(scope, LOST, 'OVERFLOW'),
  };
}
