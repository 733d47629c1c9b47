import type { RuntimeCare, RuntimeFact, RuntimeVerdict } from '#rules/runtime-care.ts';

/** What a runtime says of itself. Source: `callout.v1.runtime-pool.hello` */
export interface PoolMember {
  runtimeId: string;
  name: string;
  version: string;
  contract: number;
  maxCalls: number;
  /** Calls that it says it has. */
  active: number;
  isDraining: boolean;
  /** Takes over what another runtime has left. */
  resumes: boolean;
  nodeTypes: readonly string[];
  /** Absent: every business. */
  businessCodes?: readonly string[] | undefined;
}

/** What is known of a runtime that has said nothing yet: nothing may be given to it. */
export function unheardRuntime(runtimeId: string): PoolMember {
  return { runtimeId, name: runtimeId, version: '', contract: 1, maxCalls: 0, active: 0, isDraining: true, resumes: false, nodeTypes: [] };
}

/** Whether it has said nothing itself: others have told of calls at it. */
export function isUnheard({ version, nodeTypes }: Pick<PoolMember, 'version' | 'nodeTypes'>): boolean {
  return version === '' && nodeTypes.length === 0;
}

export interface PooledRuntime extends PoolMember {
  /** Last heard of, UTC ms by the store's clock. */
  seenAt: number;
  /** Since then, by the same clock. */
  ageMs: number;
  isGone: boolean;
  /** Why no call is offered to it although it is there; null: calls are. */
  aside: 'unanswered' | 'silent' | null;
  /** Places that dials and calls hold at it. */
  calls: number;
}

export interface LostRuntime extends PooledRuntime {
  /** Calls that still count as its own, at most as many as were asked for. */
  requestIds: readonly string[];
}

export interface OwnedCall {
  requestId: string;
  runtimeId: string;
}

/**
 * The call-flow runtimes that have registered, beside the slots, where each dial takes a place at one of them.
 *
 * Why:    time is the store's own; after a loss the pool fills within one beat, or at a roll-call
 * Errors: CACHE_UNAVAILABLE from every method
 * Source: A5
 */
export interface RuntimePool {
  /** `full`: more runtimes than the pool takes. `new`: not there before, or gone meanwhile. */
  beat(member: PoolMember): Promise<'new' | 'known' | 'full'>;
  bye(runtimeId: string): Promise<void>;
  list(): Promise<PooledRuntime[]>;
  /** How many it knows of, gone ones included until their calls have gone too. */
  size(): Promise<number>;
  /** Runtimes that are gone. One without calls is reported once, and forgotten. */
  lost(maxCalls: number): Promise<LostRuntime[]>;
  /**
   * Notes which runtime has each call, wherever its place was; a runtime that is not known has its whole time to say that it is there. A call without
   * a slot gets no place, except while the slots are not known themselves.
   */
  hold(calls: readonly OwnedCall[]): Promise<void>;
  /**
   * Gives the call a place: the one that its dial took, while that runtime is there and was not tried, else at the runtime with most room. Null: at none.
   */
  pick(requestId: string, request: { businessCode: string; resumes: boolean; tried: readonly string[] }): Promise<string | null>;
  /** Notes what was seen; what changes by it, null: nothing. */
  note(fact: RuntimeFact, care: RuntimeCare): Promise<RuntimeVerdict | null>;
  /** Businesses for which nothing is dialled, since nobody takes their customers. */
  closedBusinesses(): Promise<string[]>;
}
