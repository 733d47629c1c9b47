import { connectDatabase, type Database } from '#platform/postgres/database.ts';
import { primaryReader, type ReplicaFault, ReplicaReader, type ReportReader } from '#platform/postgres/report-reader.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import { ENTITIES } from './connect.ts';
import type { ServerContext } from './context.ts';

type Events = Pick<RuntimeEventStore, 'record'>;
type From = Pick<ServerContext, 'config' | 'database' | 'clock' | 'log' | 'stack'>;

/** Opens what reports are read from: the replica of the configuration, or the primary. The start does not wait for a replica. */
export function openReports(context: From, events: Events): ReportReader {
  const { config, database: primary, clock, log, stack } = context;
  const { reportUrl: url, reportPoolSize: poolSize, reportMaxLagSeconds } = config.database;
  if (url === null) return primaryReader(primary, clock);
  const reader = new ReplicaReader({
    primary,
    connect: () => connectDatabase({ ...optionsOf(context, 'reports'), url, poolSize, isReplica: true }),
    maxLagMs: reportMaxLagSeconds * 1_000,
    clock,
    log,
    changed: fault => {
      recordReplica(events, fault, clock.now()).catch((error: unknown) =>
        log.warn({ err: error }, 'the state of the replica was not recorded'),
      );
    },
  });
  stack.defer(() => reader.close());
  return reader;
}

/** Longest statement of upkeep, such as the check of a partition of hundreds of millions of rows. */
const UPKEEP_MS = 6 * 3_600_000;

/** Opens a connection for statements that take longer than those of the server may. */
export function upkeepConnection(context: From): () => Promise<Database> {
  return () => connectDatabase({ ...optionsOf(context, 'upkeep'), poolSize: 2, statementTimeoutMs: UPKEEP_MS });
}

function optionsOf({ config, log }: From, purpose: string) {
  const { timezone: timeZone, instanceId } = config.server;
  return { entities: ENTITIES, ...config.database, timeZone, applicationName: `callout ${instanceId} ${purpose}`, log };
}

const REASONS: Readonly<Record<ReplicaFault, string>> = {
  unreachable: '连接不上，或查询失败',
  behind: '落后主库太多',
  no_replica: '不是流复制的备库',
};

/** Servers that notice it within the same minute tell it once. Source: D14.3 replica.down */
async function recordReplica(events: Events, fault: ReplicaFault | null, now: number): Promise<void> {
  const type = fault === null ? 'replica.up' : 'replica.down';
  await events.record({
    level: fault === null ? 'info' : 'warning',
    type,
    title: fault === null ? '报表数据库已恢复' : '报表数据库不可用',
    message: fault === null ? '' : `${REASONS[fault]}；报表与导出改由主库读取，恢复后自动切回`,
    detail: { reason: fault },
    dedupeKey: `${type}:${Math.floor(now / 60_000)}`,
  });
}
