import { withDeadline } from '#kernel/deadline.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { CellFault, CellState } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeState } from '#runtimes/survey-runtimes.ts';
import type { LiveState } from '#calls/live-calls-feed.ts';

/** Liveness checks of the server's dependencies; each rejects when its dependency does not respond. */
export interface HealthProbes {
  database(): Promise<void>;
  cache(): Promise<void>;
  bus(): Promise<void>;
  cells(): readonly CellState[];
  live(): LiveState;
  runtimes(): Promise<RuntimeState>;
}

export interface DependencyHealth {
  ok: boolean;
  /** Null when there was no response. */
  latencyMs: number | null;
}

export interface HealthReport {
  /** `down` without database or cache; `degraded` without the bus or an enabled cell, or when no runtime would take an answered call. */
  status: 'ok' | 'degraded' | 'down';
  database: DependencyHealth;
  cache: DependencyHealth;
  bus: DependencyHealth;
  /** `reason`: why the latest connection attempt failed; null while the cell works, or when nothing is known yet. */
  switch: { cellId: string; reason: CellFault | null; ok: boolean }[];
  live: LiveState;
  runtimes: RuntimeState;
}

export interface HealthDeps extends Pick<Platform, 'clock'> {
  probes: HealthProbes;
  metrics: Metrics;
}

const PROBE_TIMEOUT_MS = 1_000;
/** Reports are public and cost a round trip to each dependency: within this time the last report is returned again. */
const REPORT_LIFETIME_MS = 250;

/** Runtimes are unknown while the cache is unavailable. */
const NOBODY: RuntimeState = { ok: false, registered: 0, freePlaces: 0, hasUnregistered: false };
const late = () => new Error(`no sign of life in ${PROBE_TIMEOUT_MS} ms`);

/** Source: D14.1 */
export function createHealthCheck(deps: HealthDeps): () => Promise<HealthReport> {
  let last: { at: number; report: Promise<HealthReport> } | null = null;
  return () => {
    const now = deps.clock.monotonic();
    if (!last || now - last.at > REPORT_LIFETIME_MS) last = { at: now, report: checkHealth(deps) };
    return last.report;
  };
}

async function checkHealth(deps: HealthDeps): Promise<HealthReport> {
  const { probes } = deps;
  const [database, cache, bus, runtimes] = await Promise.all([
    probe(deps, 'database', () => probes.database()),
    probe(deps, 'cache', () => probes.cache()),
    probe(deps, 'bus', () => probes.bus()),
    withDeadline(deps.clock, PROBE_TIMEOUT_MS, probes.runtimes(), late).catch(() => NOBODY),
  ]);
  const cells = probes.cells().filter(cell => cell.isEnabled);
  const cellHealth = cells.map(({ cellId, state, fault }) => ({ cellId, reason: fault ?? null, ok: state === 'up' }));
  const parts = { database, cache, bus, switch: cellHealth, runtimes };
  return { status: statusOf(parts), ...parts, live: probes.live() };
}

function statusOf({ database, cache, bus, switch: cells, runtimes }: Omit<HealthReport, 'status' | 'live'>): HealthReport['status'] {
  if (!database.ok || !cache.ok) return 'down';
  return bus.ok && cells.every(cell => cell.ok) && runtimes.ok ? 'ok' : 'degraded';
}

async function probe(deps: HealthDeps, name: 'database' | 'cache' | 'bus', ask: () => Promise<void>): Promise<DependencyHealth> {
  const startedAt = deps.clock.monotonic();
  const health = await withDeadline(deps.clock, PROBE_TIMEOUT_MS, ask(), late).then(
    () => ({ ok: true, latencyMs: Math.round((deps.clock.monotonic() - startedAt) * 10) / 10 }),
    () => ({ ok: false, latencyMs: null }),
  );
  deps.metrics.dependencyState(name, health.ok);
  return health;
}
