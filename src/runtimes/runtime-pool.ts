import type { RuntimeCare, RuntimeFact, RuntimeVerdict } from './decisions/runtime-care.ts';

/** Capacity of a registered runtime. */
interface RuntimeLoad {
  maxCalls: number;
  /** Active calls as reported by the runtime. */
  active: number;
  /** Places held at it by dials and calls. */
  calls: number;
  isDraining: boolean;
  isGone: boolean;
  /** Why an online runtime is offered no calls; null when it is offered calls. */
  aside: 'unanswered' | 'silent' | null;
  /** Absent: all businesses. */
  businessCodes?: readonly string[] | undefined;
}

/** Whether it accepts new calls, capacity permitting. */
export function isTaking({ isDraining, isGone, aside }: Pick<RuntimeLoad, 'isDraining' | 'isGone' | 'aside'>): boolean {
  return !isDraining && !isGone && aside === null;
}

export function servesBusiness({ businessCodes }: Pick<RuntimeLoad, 'businessCodes'>, businessCode: string): boolean {
  return businessCodes === undefined || businessCodes.includes(businessCode);
}

/**
 * Number of new calls that the runtime can take now; the slot registry applies the same formula.
 *
 * Why:    the runtime's report and our own count each lag behind the other, so the larger one counts
 * Source: A5
 */
export function freePlaces(load: RuntimeLoad): number {
  return isTaking(load) ? Math.max(0, load.maxCalls - Math.max(load.active, load.calls)) : 0;
}

/** A runtime's own description. Source: `callout.v1.runtime-pool.hello` */
export interface PoolMember {
  runtimeId: string;
  name: string;
  version: string;
  contract: number;
  maxCalls: number;
  /** Active calls as reported by the runtime. */
  active: number;
  isDraining: boolean;
  /** Can take over the calls of a failed runtime. */
  resumes: boolean;
  /** Optional commands that it carries out; absent: none. */
  commands?: readonly string[] | undefined;
  nodeTypes: readonly string[];
  /** Absent: all businesses. */
  businessCodes?: readonly string[] | undefined;
}

/** Placeholder for a runtime that has not sent a heartbeat yet: it must not be offered calls. */
export function unheardRuntime(runtimeId: string): PoolMember {
  return { runtimeId, name: runtimeId, version: '', contract: 1, maxCalls: 0, active: 0, isDraining: true, resumes: false, nodeTypes: [] };
}

/** Whether the runtime has not described itself yet and is known only from calls that it holds. */
export function isUnheard({ version, nodeTypes }: Pick<PoolMember, 'version' | 'nodeTypes'>): boolean {
  return version === '' && nodeTypes.length === 0;
}

export interface PooledRuntime extends PoolMember {
  /** Last heartbeat, UTC ms by the store's clock. */
  seenAt: number;
  /** Time since the last heartbeat, ms by the same clock. */
  ageMs: number;
  isGone: boolean;
  /** Why an online runtime is offered no calls; null when it is offered calls. */
  aside: 'unanswered' | 'silent' | null;
  /** Places held at it by dials and calls. */
  calls: number;
}

export interface LostRuntime extends PooledRuntime {
  /** Calls still recorded as its own, up to the requested number. */
  requestIds: readonly string[];
}

export interface OwnedCall {
  requestId: string;
  runtimeId: string;
}

/**
 * The registered call-flow runtimes; stored with the slots, because each dial reserves a place at a runtime.
 *
 * Why:    the store's clock decides; after a loss the pool refills within one heartbeat interval, or on a roll call
 * Errors: CACHE_UNAVAILABLE from every method
 * Source: A5
 */
export interface RuntimePool {
  /** `full`: the pool's limit is reached. `new`: not registered before, or gone in between. */
  beat(member: PoolMember): Promise<'new' | 'known' | 'full'>;
  bye(runtimeId: string): Promise<void>;
  list(): Promise<PooledRuntime[]>;
  /** Number of known runtimes, including lost ones until their calls have ended. */
  size(): Promise<number>;
  /** Lost runtimes. One without calls is reported once and then removed. */
  lost(maxCalls: number): Promise<LostRuntime[]>;
  /**
   * Records which runtime holds each call, wherever its place was reserved. An unknown runtime gets the full heartbeat time-out to register. A
   * call without a slot gets no place, unless the slots themselves are being rebuilt.
   */
  hold(calls: readonly OwnedCall[]): Promise<void>;
  /**
   * Assigns a runtime to the call: the one reserved by its dial if available and untried, else the one with most free places. Null: none.
   */
  pick(requestId: string, request: { businessCode: string; resumes: boolean; tried: readonly string[] }): Promise<string | null>;
  /** Records a fact about a runtime and returns the resulting change; null when there is none. */
  note(fact: RuntimeFact, care: RuntimeCare): Promise<RuntimeVerdict | null>;
  /** Businesses for which dialling is stopped because no runtime accepts their customers. */
  closedBusinesses(): Promise<string[]>;
}

export interface RuntimePoolPart {
  pool: RuntimePool;
}
