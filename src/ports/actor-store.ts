/**
 * Snapshots of actors under a version: the commit is the fence (A1.1).
 *
 * Errors: CACHE_UNAVAILABLE or DATABASE_UNAVAILABLE; a timed-out commit is ambiguous and is repeated with the same command id
 * Source: A3
 */
export interface ActorStore {
  load(key: string): Promise<StoredActor | null>;
  /** Writes snapshot, timers and outbox together when the version still is `expectedVersion` (0 = must not exist). */
  commit(key: string, commit: ActorCommit): Promise<CommitOutcome>;
  /**
   * Timers that are due by the store's own clock, oldest first, leased to this caller for `leaseMs`. `own`: a store may look only where this
   * process has set timers that are due by now.
   */
  takeDueTimers(limit: number, leaseMs: number, whose?: 'all' | 'own'): Promise<DueTimer[]>;
  /** Forgets timers that have fired, unless they were set anew since. */
  clearTimers(timers: readonly DueTimer[]): Promise<void>;
  /** Outbox entries that nobody finished within their lease, leased to this caller for `leaseMs`. */
  takeDueEffects(limit: number, leaseMs: number): Promise<StoredEffect[]>;
  /** Forgets finished effects. */
  clearEffects(effects: readonly { key: string; effectId: string }[]): Promise<void>;
  /** Removes an actor that is over, with its timers and outbox. */
  remove(key: string): Promise<void>;
}

export interface StoredActor {
  version: number;
  /** JSON of the machine snapshot with its own schema version. */
  snapshot: string;
  /** The last command ids, oldest first, at most 8. */
  commandIds: readonly string[];
  /** What was written once at the actor's creation. */
  meta: string | null;
  /** Tells this actor from an earlier one of its key that a wipe of the store took; absent where stores are not wiped. */
  born?: string;
}

export interface ActorCommit {
  expectedVersion: number;
  /** As it was loaded: versions begin anew after a wipe, and a commit that was decided before must not fit by chance. */
  born?: string;
  commandId: string;
  /** Commands before it that the same commit applies. */
  earlier?: readonly string[];
  snapshot: string;
  /** Static facts, written with the first commit only. */
  meta?: string;
  /** Timer name → delay from now, ms (the store's clock); null cancels. */
  timers: Readonly<Record<string, number | null>>;
  effects: readonly { effectId: string; body: string }[];
  /** First lease of the new effects: who commits also runs them. ms. */
  effectLeaseMs: number;
}

/** `born`: of a new actor; `now`: the actor as it stands, from a store that has it at hand; `duplicate`: every command was applied before. */
export type CommitOutcome =
  | { kind: 'committed'; version: number; born?: string }
  | { kind: 'conflict'; now?: StoredActor }
  | { kind: 'duplicate' };

export interface DueTimer {
  key: string;
  timer: string;
  /** Version at which the timer was set: makes the firing's command id. */
  version: number;
  /** Tells this setting from every other, also from one of the same version before the store was wiped. */
  setting: string;
}

export interface StoredEffect {
  key: string;
  effectId: string;
  body: string;
}
