import type { LiveState } from '#calls/live-calls-feed.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import type { Source } from '#platform/feeds/feed.ts';
import { polledSource, wholeWhenOther } from '#platform/feeds/polled-source.ts';
import type { CellFault, CellState } from '#platform/freeswitch/switch.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeState } from '#runtimes/survey-runtimes.ts';

/** Liveness checks of the server's dependencies; each rejects when its dependency does not respond. */
interface HealthProbes {
  database(): Promise<void>;
  cache(): Promise<void>;
  bus(): Promise<void>;
  cells(): readonly CellState[];
  live(): LiveState;
  runtimes(): Promise<RuntimeState>;
}

interface DependencyHealth {
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

interface HealthOptions extends Pick<Platform, 'clock'> {
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
export function createHealthCheck(options: HealthOptions): () => Promise<HealthReport> {
  let last: { at: number; report: Promise<HealthReport> } | null = null;
  return () => {
    const now = options.clock.monotonic();
    if (!last || now - last.at > REPORT_LIFETIME_MS) last = { at: now, report: checkHealth(options) };
    return last.report;
  };
}

async function checkHealth(options: HealthOptions): Promise<HealthReport> {
  const { probes } = options;
  const [database, cache, bus, runtimes] = await Promise.all([
    probe(options, 'database', () => probes.database()),
    probe(options, 'cache', () => probes.cache()),
    probe(options, 'bus', () => probes.bus()),
    withDeadline(options.clock, PROBE_TIMEOUT_MS, probes.runtimes(), late).catch(() => NOBODY),
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

async function probe(options: HealthOptions, name: 'database' | 'cache' | 'bus', ask: () => Promise<void>): Promise<DependencyHealth> {
  const startedAt = options.clock.monotonic();
  const health = await withDeadline(options.clock, PROBE_TIMEOUT_MS, ask(), late).then(
    () => ({ ok: true, latencyMs: Math.round((options.clock.monotonic() - startedAt) * 10) / 10 }),
    () => ({ ok: false, latencyMs: null }),
  );
  options.metrics.dependencyState(name, health.ok);
  return health;
}

/** Dependencies of the server, in the order in which pages show them. */
export const HEALTH_PARTS = ['switch', 'bus', 'cache', 'database', 'runtime', 'nlu'] as const;
/** `red`: dialling stops, or nothing is known; `amber`: it goes on with less capacity. */
export const HEALTH_LEVELS = ['green', 'amber', 'red'] as const;
export const HEALTH_STATES = [
  'works',
  'database_away',
  'cache_away',
  'bus_away',
  'switch_none',
  'switch_away',
  'switch_partly',
  'runtime_none',
  'runtime_unknown',
  'nlu_away',
] as const;
type HealthState = (typeof HEALTH_STATES)[number];

/** Health of one dependency and its consequence for calls. */
interface PartHealth {
  part: (typeof HEALTH_PARTS)[number];
  level: (typeof HEALTH_LEVELS)[number];
  /** Key of the text. */
  state: HealthState;
  /** Consequence and next step in Chinese; null while the part works. */
  message: string | null;
  /** Number of working cells or runtimes, and their total; null for a single dependency. */
  working: number | null;
  total: number | null;
}

/** Consequence of each state, which is what users want to know first. Source: D14.1 */
const CONSEQUENCES: Record<Exclude<HealthState, 'works'>, { level: 'amber' | 'red'; message: string }> = {
  database_away: { level: 'red', message: '数据库没有响应：恢复前不会拨出，页面也读不到数据；进行中的通话不受影响，结果稍后补记' },
  cache_away: { level: 'red', message: 'Redis 没有响应：恢复前不会拨出，也不能登录、监听和接管' },
  bus_away: { level: 'red', message: 'NATS 没有响应：恢复前不会拨出，实时字幕会迟到；恢复后自动继续' },
  switch_none: { level: 'red', message: '没有启用的交换机节点：不会拨出。请在配置中启用一个' },
  switch_away: { level: 'red', message: '所有交换机节点都连不上：恢复前不会拨出' },
  switch_partly: { level: 'amber', message: '部分交换机节点连不上：由其余节点外呼，并发上限随之降低' },
  runtime_none: { level: 'red', message: '没有在线的话术引擎：客户接听后无人应答，因此不拨出；启动话术引擎后自动继续' },
  runtime_unknown: { level: 'amber', message: 'Redis 没有响应，暂时不知道话术引擎的情况' },
  nlu_away: { level: 'amber', message: 'NLU 服务没有响应：外呼照常，话术里的意图判断改用关键词' },
};

/** Assesses every dependency from a health report. */
export function judgeHealth({ database, cache, bus, switch: cells, runtimes }: HealthReport, isNluThere: boolean): PartHealth[] {
  const up = cells.filter(({ ok }) => ok).length;
  return [
    { part: 'switch', ...as(switchState(up, cells.length)), working: up, total: cells.length },
    { part: 'bus', ...as(bus.ok ? 'works' : 'bus_away'), ...ONE },
    { part: 'cache', ...as(cache.ok ? 'works' : 'cache_away'), ...ONE },
    { part: 'database', ...as(database.ok ? 'works' : 'database_away'), ...ONE },
    { part: 'runtime', ...as(runtimeState(runtimes.ok, cache.ok)), ...ONE },
    { part: 'nlu', ...as(isNluThere ? 'works' : 'nlu_away'), ...ONE },
  ];
}

const ONE = { working: null, total: null };

function as(state: HealthState): Pick<PartHealth, 'level' | 'state' | 'message'> {
  return state === 'works' ? { level: 'green', state, message: null } : { state, ...CONSEQUENCES[state] };
}

function switchState(up: number, total: number): HealthState {
  if (total === 0) return 'switch_none';
  if (up === 0) return 'switch_away';
  return up < total ? 'switch_partly' : 'works';
}

/** Runtimes are registered in the cache only. */
function runtimeState(isTaking: boolean, isCacheThere: boolean): HealthState {
  if (isTaking) return 'works';
  return isCacheThere ? 'runtime_none' : 'runtime_unknown';
}

/** A dependency with the time since when this instance has seen its current state, UTC ms. */
export interface WatchedPart extends PartHealth {
  since: number;
}

interface HealthWatchOptions {
  clock: Clock;
  checkHealth: () => Promise<HealthReport>;
  /** Rejects when the NLU service does not answer. */
  nlu: () => Promise<unknown>;
}

export interface HealthWatch {
  check(): Promise<WatchedPart[]>;
  /** Checks at an interval until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface HealthPart {
  health: HealthWatch;
}

/** Interval of checks in ms, so that `since` and the dependency gauges are correct even without queries. */
const LOOK_MS = 5_000;
const NLU_TIMEOUT_MS = 1_000;
const nluLate = () => new Error(`no answer in ${NLU_TIMEOUT_MS} ms`);

/**
 * Tracks the state of every dependency and when it began.
 *
 * Why: a user who opens a page after a fault needs to know when it began
 */
export function createHealthWatch({ clock, checkHealth, nlu }: HealthWatchOptions): HealthWatch {
  let known = new Map<string, WatchedPart>();
  const check = async () => {
    const [report, isNluThere] = await Promise.all([
      checkHealth(),
      withDeadline(clock, NLU_TIMEOUT_MS, nlu(), nluLate).then(
        () => true,
        () => false,
      ),
    ]);
    const now = clock.now();
    const parts = judgeHealth(report, isNluThere).map(part => {
      const before = known.get(part.part);
      return { ...part, since: before?.state === part.state ? before.since : now };
    });
    known = new Map(parts.map(part => [part.part, part]));
    return parts;
  };
  return {
    check,
    async run(signal) {
      while (!signal.aborted) {
        await check();
        await sleep(clock, LOOK_MS, signal);
      }
    },
  };
}

/** Poll interval, in ms: no signal announces that a component has failed. */
const POLL_MS = 1_000;

/** Health of every component; each change carries the whole list. Source: D14.1 */
export function healthSource(app: HealthPart & Pick<Platform, 'clock' | 'log'>): Source<readonly WatchedPart[], readonly WatchedPart[]> {
  return polledSource(app, {
    what: 'the health of the parts',
    read: () => app.health.check(),
    changes: wholeWhenOther,
    pollMs: POLL_MS,
    spacingMs: POLL_MS,
  });
}
