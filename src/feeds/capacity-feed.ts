import type { MonitorRegistry, MonitorCapacity } from '#ports/monitor-registry.ts';
import type { Ports } from '#ports/ports.ts';
import type { Channel } from './fan-out.ts';
import { Feed, type FeedDeps, type FeedEvent } from './feed.ts';
import { keyedSources } from './keyed-sources.ts';

/** A change shows after at most this, ms. */
const POLL_MS = 1_000;
/** Who comes within this of each other is served by one reading, ms. */
const SPACING_MS = 100;

export type CapacityEvent = FeedEvent<MonitorCapacity, MonitorCapacity>;

export interface CapacityFeed {
  /** How much the monitors may watch, with this user's own share. */
  channel(userId: number | null): Channel<CapacityEvent>;
  close(): void;
}

/**
 * One look at the monitor registry for everybody who follows it here, and none while nobody does.
 *
 * Why:    the registry changes with presences, calls and time itself, at any instance: looking finds all of it, whatever a signal may lose
 * Source: D9.2, D10 `capacity`
 */
export function capacityFeed(deps: FeedDeps & Pick<Ports, 'log'> & { monitors: Pick<MonitorRegistry, 'capacities'> }): CapacityFeed {
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
