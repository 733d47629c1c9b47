import type { Clock } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import type { HealthProbes, LiveState } from '#ports/health-probes.ts';
import type { Metrics } from '#ports/metrics.ts';
import type { CellFault } from '#ports/switch.ts';

export interface DependencyHealth {
  ok: boolean;
  /** Null when there was no answer. */
  latencyMs: number | null;
}

export interface HealthReport {
  /** `down` without database or cache; `degraded` without the bus or an enabled cell. */
  status: 'ok' | 'degraded' | 'down';
  database: DependencyHealth;
  cache: DependencyHealth;
  bus: DependencyHealth;
  /** `reason` why the newest attempt to reach it has failed, null while the cell works, or nothing is known yet. */
  switch: { cellId: string; reason: CellFault | null; ok: boolean }[];
  live: LiveState;
}

export interface HealthDeps {
  probes: HealthProbes;
  clock: Clock;
  metrics: Metrics;
}

const PROBE_TIMEOUT_MS = 1_000;
/** Reports are public and cost a round trip to each dependency: asked more often, the last one is told again. */
const REPORT_LIFETIME_MS = 250;

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
  const [database, cache, bus] = await Promise.all([
    probe(deps, 'database', () => probes.database()),
    probe(deps, 'cache', () => probes.cache()),
    probe(deps, 'bus', () => probes.bus()),
  ]);
  const cells = probes.cells().filter(cell => cell.isEnabled);
  const cellHealth = cells.map(({ cellId, state, fault }) => ({ cellId, reason: fault ?? null, ok: state === 'up' }));
  return { status: statusOf(database, cache, bus, cellHealth), database, cache, bus, switch: cellHealth, live: probes.live() };
}

function statusOf(
  database: DependencyHealth,
  cache: DependencyHealth,
  bus: DependencyHealth,
  cells: readonly { ok: boolean }[],
): HealthReport['status'] {
  if (!database.ok || !cache.ok) return 'down';
  return bus.ok && cells.every(cell => cell.ok) ? 'ok' : 'degraded';
}

async function probe(deps: HealthDeps, name: 'database' | 'cache' | 'bus', ask: () => Promise<void>): Promise<DependencyHealth> {
  const startedAt = deps.clock.monotonic();
  const health = await withDeadline(deps.clock, PROBE_TIMEOUT_MS, ask(), () => new Error(`no sign of life in ${PROBE_TIMEOUT_MS} ms`)).then(
    () => ({ ok: true, latencyMs: Math.round((deps.clock.monotonic() - startedAt) * 10) / 10 }),
    () => ({ ok: false, latencyMs: null }),
  );
  deps.metrics.dependencyState(name, health.ok);
  return health;
}
