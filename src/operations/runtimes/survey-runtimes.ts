import type { RUNTIME_MODES } from '#contract/rest/runtime-overview.ts';
import type { PooledRuntime, RuntimePool } from '#ports/runtime-pool.ts';
import { freePlaces, isTaking, servesBusiness } from '#rules/runtime-places.ts';
import type { UnregisteredRuntimes } from './watch-runtimes.ts';

export interface SurveyDeps {
  pool: Pick<RuntimePool, 'list' | 'closedBusinesses'>;
  runtimes: UnregisteredRuntimes;
  settings: { runtime: RuntimeMode };
}

/** `rest`: runtimes find their calls at the switch, and need not register. */
export type RuntimeMode = (typeof RUNTIME_MODES)[number];

/** The call-flow runtimes, and whether others take calls beside them. */
export interface RuntimeSurvey {
  runtimeMode: RuntimeMode;
  /** Somebody takes calls without having registered, as many as come. */
  hasUnregistered: boolean;
  runtimes: ListedRuntime[];
}

/** Whether an answered call would find a call-flow runtime. */
export interface RuntimeState {
  ok: boolean;
  /** Registered ones of which something was heard lately. */
  registered: number;
  /** New calls that those would take now. */
  freePlaces: number;
  /** Somebody takes calls without having registered, as many as come. */
  hasUnregistered: boolean;
}

export interface ListedRuntime extends Omit<PooledRuntime, 'nodeTypes' | 'seenAt' | 'ageMs' | 'businessCodes' | 'aside'> {
  /** Null: every business. */
  businessCodes: readonly string[] | null;
  /** UTC ms by the cache's clock. */
  lastSeenAt: number;
  /** Since then. */
  ageSeconds: number;
}

/** As many as the pool takes. */
const MAX_LISTED = 500;

/**
 * What people see of the runtimes.
 *
 * Shape:  `runtimes` by name, then id, at most 500; one that is gone is listed while it has calls
 * Errors: CACHE_UNAVAILABLE
 */
export async function surveyRuntimes({ pool, runtimes, settings }: SurveyDeps): Promise<RuntimeSurvey> {
  const listed = (await pool.list()).toSorted(byName).slice(0, MAX_LISTED);
  return { runtimeMode: settings.runtime, hasUnregistered: runtimes.hasUnregistered(), runtimes: listed.map(listedRuntime) };
}

/** Whether an answered call would find somebody. Errors: CACHE_UNAVAILABLE */
export async function checkRuntimes({ pool, runtimes, settings }: SurveyDeps): Promise<RuntimeState> {
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

/** What a campaign would find now. */
export interface RuntimeRoom {
  runtimeMode: RuntimeMode;
  /** As many calls as come are taken by others. */
  isOpenEnded: boolean;
  /** Registered runtimes that take new calls, and those of them that take the business's. */
  taking: number;
  serving: number;
  /** Calls of the business that those would take. */
  freePlaces: number;
}

/**
 * The room for new calls of each business.
 *
 * Why:    who is asked about many campaigns asks the pool once
 * Errors: CACHE_UNAVAILABLE
 */
export async function readRuntimeRoom({ pool, runtimes, settings }: SurveyDeps): Promise<(businessCode: string) => RuntimeRoom> {
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

function listedRuntime({ nodeTypes: _nodeTypes, aside: _aside, seenAt, ageMs, businessCodes, ...runtime }: PooledRuntime): ListedRuntime {
  // A clock that was set back knows no age.
  return { ...runtime, businessCodes: businessCodes ?? null, lastSeenAt: seenAt, ageSeconds: Math.max(0, Math.floor(ageMs / 1_000)) };
}

function byName(a: PooledRuntime, b: PooledRuntime): number {
  return order(a.name, b.name) || order(a.runtimeId, b.runtimeId);
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
