import { freePlaces, isTaking, type PooledRuntime, servesBusiness, type RuntimePoolPart } from './runtime-pool.ts';
import type { UnregisteredRuntimesPart } from './watch-runtimes.ts';
import type { RuntimeSettingsPart } from './decisions/runtime-care.ts';

/** `rest`: runtimes find their calls at the switch and need not register. */
export type RuntimeMode = (typeof RUNTIME_MODES)[number];

/** Registered runtimes, and whether unregistered ones take calls as well. */
export interface RuntimeSurvey {
  runtimeMode: RuntimeMode;
  /** Whether a runtime takes calls without registering; its capacity is unlimited. */
  hasUnregistered: boolean;
  runtimes: ListedRuntime[];
}

/** Whether a runtime would take an answered call. */
export interface RuntimeState {
  ok: boolean;
  /** Registered runtimes with a recent heartbeat. */
  registered: number;
  /** New calls that they could take now. */
  freePlaces: number;
  /** Whether a runtime takes calls without registering; its capacity is unlimited. */
  hasUnregistered: boolean;
}

export interface ListedRuntime extends Omit<PooledRuntime, 'nodeTypes' | 'commands' | 'seenAt' | 'ageMs' | 'businessCodes' | 'aside'> {
  /** Null for all businesses. */
  businessCodes: readonly string[] | null;
  /** UTC ms, by the cache's clock. */
  lastSeenAt: number;
  /** Seconds since `lastSeenAt`. */
  ageSeconds: number;
}

/** The limit of the pool. */
const MAX_LISTED = 500;

/**
 * Lists the runtimes for display.
 *
 * Shape:  `runtimes` by name, then id, at most 500; a lost runtime is listed while it still has calls
 * Errors: CACHE_UNAVAILABLE
 */
export async function surveyRuntimes({
  pool,
  runtimes,
  settings,
}: RuntimePoolPart & UnregisteredRuntimesPart & RuntimeSettingsPart): Promise<RuntimeSurvey> {
  const listed = (await pool.list()).toSorted(byName).slice(0, MAX_LISTED);
  return { runtimeMode: settings.runtime, hasUnregistered: runtimes.hasUnregistered(), runtimes: listed.map(listedRuntime) };
}

/** Checks whether a runtime would take an answered call. Errors: CACHE_UNAVAILABLE */
export async function checkRuntimes({
  pool,
  runtimes,
  settings,
}: RuntimePoolPart & UnregisteredRuntimesPart & RuntimeSettingsPart): Promise<RuntimeState> {
  const [listed, closed] = await Promise.all([pool.list(), pool.closedBusinesses()]);
  const there = listed.filter(({ isGone }) => !isGone);
  const hasUnregistered = runtimes.hasUnregistered();
  return {
    ok: settings.runtime === 'rest' || (closed.length === 0 && (hasUnregistered || there.some(isTaking))),
    registered: there.length,
    freePlaces: there.reduce((sum, runtime) => sum + freePlaces(runtime), 0),
    hasUnregistered,
  };
}

/** Runtime capacity that a campaign would find now. */
export interface RuntimeRoom {
  runtimeMode: RuntimeMode;
  /** Whether unregistered runtimes take any number of calls. */
  isOpenEnded: boolean;
  /** Registered runtimes that take new calls; `serving` counts those that take the business's. */
  taking: number;
  serving: number;
  /** Calls of the business that the serving runtimes could take. */
  freePlaces: number;
}

/**
 * Returns the runtime capacity by business.
 *
 * Why:    one query of the pool serves any number of campaigns
 * Errors: CACHE_UNAVAILABLE
 */
export async function readRuntimeRoom({
  pool,
  runtimes,
  settings,
}: RuntimePoolPart & UnregisteredRuntimesPart & RuntimeSettingsPart): Promise<(businessCode: string) => RuntimeRoom> {
  const runtimeMode = settings.runtime;
  if (runtimeMode === 'rest') return () => ({ runtimeMode, isOpenEnded: false, taking: 0, serving: 0, freePlaces: 0 });
  const [listed, isOpenEnded] = await Promise.all([pool.list(), runtimes.isOpenEnded()]);
  const taking = listed.filter(isTaking);
  return businessCode => {
    const serving = taking.filter(runtime => servesBusiness(runtime, businessCode));
    const free = serving.reduce((sum, runtime) => sum + freePlaces(runtime), 0);
    return { runtimeMode, isOpenEnded, taking: taking.length, serving: serving.length, freePlaces: free };
  };
}

function listedRuntime({
  nodeTypes: _nodeTypes,
  commands: _commands,
  aside: _aside,
  seenAt,
  ageMs,
  businessCodes,
  ...runtime
}: PooledRuntime): ListedRuntime {
  // After the clock was set back, the age could be negative.
  return { ...runtime, businessCodes: businessCodes ?? null, lastSeenAt: seenAt, ageSeconds: Math.max(0, Math.floor(ageMs / 1_000)) };
}

function byName(a: PooledRuntime, b: PooledRuntime): number {
  return order(a.name, b.name) || order(a.runtimeId, b.runtimeId);
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export const RUNTIME_MODES = ['nats', 'rest'] as const;
