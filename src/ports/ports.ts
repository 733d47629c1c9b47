import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import type { ActorSender } from './actor-carrier.ts';
import type { DialStore } from './dial-store.ts';
import type { LiveCallStore } from './live-call-store.ts';
import type { LiveDeltas } from './live-deltas.ts';
import type { Locks } from './lock.ts';
import type { MonitorRegistry } from './monitor-registry.ts';
import type { RuntimeEventStore } from './runtime-event-store.ts';
import type { RuntimeLink } from './runtime-link.ts';
import type { RuntimePool } from './runtime-pool.ts';
import type { SlotRegistry } from './slot-registry.ts';
import type { SwitchPort } from './switch.ts';
import type { Wake } from './bus.ts';

/** The ports of dialling and live calls, under the names used in all `deps`: adapters in production, in-memory stores in the simulation. */
export interface Ports {
  dials: DialStore;
  slots: SlotRegistry;
  monitors: MonitorRegistry;
  locks: Locks;
  wake: Wake;
  deltas: LiveDeltas;
  runtime: RuntimeLink;
  pool: RuntimePool;
  liveCalls: LiveCallStore;
  switchPort: SwitchPort;
  actors: ActorSender;
  events: RuntimeEventStore;
  clock: Clock;
  random: Random;
  ids: IdSource;
  log: Log;
}
