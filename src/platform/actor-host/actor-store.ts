/**
 * Versioned snapshots of actors; the conditional commit is the fence (A1.1).
 *
 * Errors: CACHE_UNAVAILABLE or DATABASE_UNAVAILABLE; a timed-out commit is ambiguous and is repeated with the same command id
 * Source: A3
 */
export interface ActorStore {
  load(key: string): Promise<StoredActor | null>;
  /** Writes snapshot, timers and outbox together if the version is still `expectedVersion` (0 = must not exist). */
  commit(key: string, commit: ActorCommit): Promise<CommitOutcome>;
  /**
   * Due timers by the store's clock, oldest first, leased to this caller for `leaseMs`. With `own` a store may restrict the search to
   * partitions where this process has set timers that are due.
   */
  takeDueTimers(limit: number, leaseMs: number, whose?: 'all' | 'own'): Promise<DueTimer[]>;
  /** Deletes fired timers, unless they have been set again since. */
  clearTimers(timers: readonly DueTimer[]): Promise<void>;
  /** Outbox entries whose lease ended unfinished, leased to this caller for `leaseMs`. */
  takeDueEffects(limit: number, leaseMs: number): Promise<StoredEffect[]>;
  /** Deletes finished effects. */
  clearEffects(effects: readonly { key: string; effectId: string }[]): Promise<void>;
  /** Deletes a finished actor with its timers and outbox. */
  remove(key: string): Promise<void>;
}

export interface StoredActor {
  version: number;
  /** The machine snapshot with its own schema version, as JSON. */
  snapshot: string;
  /** The latest command ids, oldest first, at most 8. */
  commandIds: readonly string[];
  /** Static facts, written once when the actor was created. */
  meta: string | null;
  /** Distinguishes the actor from an earlier one with the same key, lost when the store was wiped; absent for stores that are never wiped. */
  born?: string;
}

export interface ActorCommit {
  expectedVersion: number;
  /** Copied from the loaded actor: versions restart after a wipe, and a commit decided before it must not match by chance. */
  born?: string;
  commandId: string;
  /** Ids of earlier commands applied by the same commit. */
  earlier?: readonly string[];
  snapshot: string;
  /** Static facts, written with the first commit only. */
  meta?: string;
  /** Delay by timer name, ms from now by the store's clock; null cancels. */
  timers: Readonly<Record<string, number | null>>;
  effects: readonly { effectId: string; body: string }[];
  /** Initial lease of the new effects, during which the committing host runs them. ms. */
  effectLeaseMs: number;
  /** Entry of the actor's journal (journal.ts), written with the snapshot; absent for actors without a journal. */
  journal?: string;
}

/** A commit as the journal of its actor keeps it. */
export interface StoredEntry {
  /** Version that the commit made. Versions in between were made by other writes, such as captions. */
  version: number;
  /** By the store's clock, UTC ms. */
  at: number;
  body: string;
}

/** Everything that an actor was told since its creation, and what came of it. */
export interface StoredJournal {
  /** Oldest first. */
  entries: readonly StoredEntry[];
  /** Commits that were not kept, because the journal was full. */
  missing: number;
  /** The snapshot as it stands. */
  snapshot: string;
}

/** Limits of one actor's journal; an entry beyond either is counted and not kept. A call of an hour has about 600 commits. */
export const JOURNAL_LIMITS = { entries: 1_000, bytes: 262_144 };

export interface JournalReader {
  /** Reads an actor's journal in one step, together with the snapshot; null when there is no actor. */
  readJournal(key: string): Promise<StoredJournal | null>;
}

/** `born`: set for a new actor. `now`: current state, if the store has it at hand. `duplicate`: every command was applied before. */
export type CommitOutcome =
  | { kind: 'committed'; version: number; born?: string }
  | { kind: 'conflict'; now?: StoredActor }
  | { kind: 'duplicate' };

export interface DueTimer {
  key: string;
  timer: string;
  /** Version at which the timer was set; part of the command id of its event. */
  version: number;
  /** Identifies this setting of the timer, even across a wipe that repeats the version. */
  setting: string;
}

export interface StoredEffect {
  key: string;
  effectId: string;
  body: string;
}
