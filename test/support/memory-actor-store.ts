import { CalloutError } from '#kernel/errors.ts';
import type {
  ActorCommit,
  ActorStore,
  CommitOutcome,
  DueTimer,
  JournalReader,
  StoredActor,
  StoredEffect,
  StoredEntry,
  StoredJournal,
} from '#platform/actor-host/actor-store.ts';

interface Entry extends StoredActor {
  timers: Map<string, { dueAt: number; version: number }>;
  entries: StoredEntry[];
}

/** A fake actor store for unit tests of the host: the test moves `now` and injects faults one by one. */
export class MemoryActorStore implements ActorStore, JournalReader {
  now = 0;
  readonly actors = new Map<string, Entry>();
  readonly outbox = new Map<string, StoredEffect & { dueAt: number }>();
  commits = 0;
  loads = 0;
  /** Whether actors carry `born`, as in a store whose data a wipe may take: it distinguishes a recreated actor from the lost one. */
  isWiped = false;
  /** Number of next commits that are applied although their reply is lost. */
  loseReplies = 0;
  /** Runs once before the next commit, to simulate a concurrent commit of another instance. */
  beforeCommit: (() => Promise<void>) | null = null;

  async load(key: string): Promise<StoredActor | null> {
    this.loads += 1;
    return this.actors.get(key) ?? null;
  }

  async commit(key: string, commit: ActorCommit): Promise<CommitOutcome> {
    const slipIn = this.beforeCommit;
    this.beforeCommit = null;
    await slipIn?.();
    const outcome = this.#apply(key, commit);
    if (this.loseReplies > 0) {
      this.loseReplies -= 1;
      throw new CalloutError('CACHE_UNAVAILABLE', '回复丢失');
    }
    return outcome;
  }

  async takeDueTimers(limit: number, leaseMs: number): Promise<DueTimer[]> {
    const due: DueTimer[] = [];
    for (const [key, actor] of this.actors) {
      for (const [timer, entry] of actor.timers) {
        if (entry.dueAt > this.now || due.length >= limit) continue;
        entry.dueAt = this.now + leaseMs;
        due.push({ key, timer, version: entry.version, setting: '' });
      }
    }
    return due;
  }

  async clearTimers(timers: readonly DueTimer[]): Promise<void> {
    for (const { key, timer, version } of timers) {
      const known = this.actors.get(key)?.timers;
      if (known?.get(timer)?.version === version) known.delete(timer);
    }
  }

  async takeDueEffects(limit: number, leaseMs: number): Promise<StoredEffect[]> {
    const due = [...this.outbox.values()].filter(effect => effect.dueAt <= this.now).slice(0, limit);
    for (const effect of due) effect.dueAt = this.now + leaseMs;
    return due.map(({ key, effectId, body }) => ({ key, effectId, body }));
  }

  async clearEffects(effects: readonly { key: string; effectId: string }[]): Promise<void> {
    for (const { key, effectId } of effects) this.outbox.delete(`${key}|${effectId}`);
  }

  async readJournal(key: string): Promise<StoredJournal | null> {
    const actor = this.actors.get(key);
    return actor ? { entries: actor.entries, missing: 0, snapshot: actor.snapshot } : null;
  }

  async remove(key: string): Promise<void> {
    this.actors.delete(key);
  }

  #bornAt(version: number): { born?: string } {
    return this.isWiped && version === 1 ? { born: 'b' } : {};
  }

  #apply(key: string, commit: ActorCommit): CommitOutcome {
    const actor = this.actors.get(key);
    const commands = [...(commit.earlier ?? []), commit.commandId];
    const applied = commands.filter(id => actor?.commandIds.includes(id)).length;
    if (applied === commands.length) return { kind: 'duplicate' };
    if (applied > 0 || (actor?.version ?? 0) !== commit.expectedVersion) return { kind: 'conflict', ...(actor ? { now: actor } : {}) };
    this.commits += 1;
    const version = commit.expectedVersion + 1;
    const timers = actor?.timers ?? new Map<string, { dueAt: number; version: number }>();
    for (const [name, delayMs] of Object.entries(commit.timers)) {
      if (delayMs === null) timers.delete(name);
      else timers.set(name, { dueAt: this.now + delayMs, version });
    }
    const commandIds = [...(actor?.commandIds ?? []), ...commands].slice(-8);
    const entry = commit.journal === undefined ? [] : [{ version, at: this.now, body: commit.journal }];
    this.actors.set(key, {
      entries: [...(actor?.entries ?? []), ...entry],
      version,
      snapshot: commit.snapshot,
      commandIds,
      meta: commit.meta ?? actor?.meta ?? null,
      ...(this.isWiped ? { born: 'b' } : {}),
      timers,
    });
    for (const { effectId, body } of commit.effects) {
      this.outbox.set(`${key}|${effectId}`, { key, effectId, body, dueAt: this.now + commit.effectLeaseMs });
    }
    return { kind: 'committed', version, ...this.#bornAt(version) };
  }
}
