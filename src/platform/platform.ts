import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import type { ActorSender } from './actor-host/actor-carrier.ts';
import type { Metrics } from './metrics.ts';
import type { Bus, Wake } from './nats/bus.ts';
import type { Database } from './postgres/database.ts';
import type { ReportReader } from './postgres/report-reader.ts';
import type { Locks } from './redis/locks.ts';
import type { SwitchPort } from './freeswitch/switch.ts';

/** Services that every noun may use; a verb picks those it needs. Each noun declares its own part beside its store: `DialsPart`, `SlotsPart`. */
export interface Platform {
  db: Database;
  /** For what reports and exports read. */
  reports: ReportReader;
  bus: Bus;
  locks: Locks;
  wake: Wake;
  switchPort: SwitchPort;
  actors: ActorSender;
  clock: Clock;
  random: Random;
  ids: IdSource;
  log: Log;
  metrics: Metrics;
}
