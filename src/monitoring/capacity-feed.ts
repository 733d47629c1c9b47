import type { MonitorRegistry, MonitorCapacity } from './monitor-registry.ts';
import type { Platform } from '#platform/platform.ts';
import type { Channel } from '#platform/feeds/fan-out.ts';
import { Feed, type FeedDeps, type FeedEvent } from '#platform/feeds/feed.ts';
import { keyedSources } from '#platform/feeds/keyed-sources.ts';

/** Poll interval, in ms. */
const POLL_MS = 1_000;
/** Subscribers that join within this interval share one read, in ms. */
const SPACING_MS = 100;

export type CapacityEvent = FeedEvent<MonitorCapacity, MonitorCapacity>;

export interface CapacityFeed {
  /** Capacity of all monitors together and of this user. */
  channel(userId: number | null): Channel<CapacityEvent>;
  close(): void;
}

/**
 * Polls the monitor registry once for all subscribers of this process, and only while there are any.
 *
 * Why:    the registry changes with presence, calls and time, at any instance: polling finds every change, even if a signal is lost
 * Source: D9.2, D10 `capacity`
 */
export function capacityFeed(deps: FeedDeps & Pick<Platform, 'log'> & { monitors: Pick<MonitorRegistry, 'capacities'> }): CapacityFeed {
  const feed = new Feed<MonitorCapacity, MonitorCapacity>(deps, { lingerMs: 0 });
  const source = keyedSources<number | null, MonitorCapacity>(deps, {
    what: 'the capacity of monitors',
    async read(userIds) {
      const capacities = await deps.monitors.capacities(userIds);
      return new Map(userIds.flatMap((userId, index) => (capacities[index] ? [[userId, capacities[index]]] : [])));
    },
    pollMs: POLL_MS,
    spacingMs: SPACING_MS,
  });
  return { channel: userId => feed.channel(String(userId), () => source(userId)), close: () => feed.close() };
}
