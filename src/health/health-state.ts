import type { HealthWatch, WatchedPart } from './watch-health.ts';
import type { Platform } from '#platform/platform.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';

/** Poll interval, in ms: no signal announces that a component has failed. */
const POLL_MS = 1_000;

export interface HealthStateDeps extends Pick<Platform, 'clock' | 'log'> {
  health: Pick<HealthWatch, 'check'>;
}

/** Health of every component; each change carries the whole list. Source: D14.1 */
export function healthSource(deps: HealthStateDeps): Source<readonly WatchedPart[], readonly WatchedPart[]> {
  return polledSource(deps, {
    what: 'the health of the parts',
    read: () => deps.health.check(),
    changes: wholeWhenOther,
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}
