import {
  type ActorCommit,
  type ActorStore,
  type CommitOutcome,
  type DueTimer,
  JOURNAL_LIMITS,
  type JournalReader,
  type StoredActor,
  type StoredEffect,
  type StoredEntry,
} from '#platform/actor-host/actor-store.ts';

/** Number of command ids kept for deduplication, as in commit-actor-n.lua. */
const KEPT_COMMANDS = 8;

interface Actor {
  version: number;
  commandIds: string[];
  snapshot: string;
  meta: string | null;
  born: string;
  /** Due timer of each timer name. */
  timers: Map<string, DueTimer>;
  journal: { entries: StoredEntry[]; bytes: number; missing: number };
}

interface Due<T> {
  item: T;
  /** Due time, ms. */
  dueAt: number;
}

export interface SimulatedActorStore extends ActorStore, JournalReader {
  wipe(): void;
  /** Registers a listener for each applied commit. */
  onCommit(listener: (key: string, commit: ActorCommit, version: number) => void): void;
  onRemove(listener: (key: string) => void): void;
  /** Keys of the stored actors. */
  keys(): string[];
}

/** The actor store of adapters/redis/scripts in memory: versions, command ids, timers, and an outbox with leases. */
export function simulatedActorStore(options: { now: () => number }): SimulatedActorStore {
  const { now } = options;
  const actors = new Map<string, Actor>();
  const timers = new Map<string, Due<DueTimer>>();
  const outbox = new Map<string, Due<StoredEffect>>();
  const committed: ((key: string, commit: ActorCommit, version: number) => void)[] = [];
  const removed: ((key: string) => void)[] = [];
  /** Number of the latest timer setting; a wipe does not reset it, so numbers never repeat. */
  let settings = 0;

  function writeTimers(key: string, actor: Actor, changes: ActorCommit['timers']): void {
    for (const [timer, delayMs] of Object.entries(changes)) {
      const old = actor.timers.get(timer);
      if (old !== undefined) timers.delete(timerName(old));
      if (delayMs === null) {
        actor.timers.delete(timer);
        continue;
      }
      settings += 1;
      const due = { key, timer, version: actor.version, setting: String(settings) };
      actor.timers.set(timer, due);
      timers.set(timerName(due), { item: due, dueAt: now() + delayMs });
    }
  }

  function commit(key: string, change: ActorCommit): CommitOutcome {
    const actor = actors.get(key) ?? newActor();
    const commands = [...(change.earlier ?? []), change.commandId];
    const applied = commands.filter(id => actor.commandIds.includes(id)).length;
    if (applied === commands.length) return { kind: 'duplicate' };
    const isReborn = change.born !== undefined && actor.born !== change.born;
    if (applied > 0 || actor.version !== change.expectedVersion || isReborn)
      return { kind: 'conflict', ...(actor.version > 0 ? { now: asStored(actor) } : {}) };
    if (actor.version === 0) {
      settings += 1;
      actor.born = String(settings);
    }
    actor.version += 1;
    actor.commandIds = [...actor.commandIds, ...commands].slice(-KEPT_COMMANDS);
    actor.snapshot = change.snapshot;
    if (change.meta !== undefined) actor.meta = change.meta;
    if (change.journal !== undefined) writeEntry(actor, { version: actor.version, at: now(), body: change.journal });
    actors.set(key, actor);
    writeTimers(key, actor, change.timers);
    for (const { effectId, body } of change.effects)
      outbox.set(`${key}|${effectId}`, { item: { key, effectId, body }, dueAt: now() + change.effectLeaseMs });
    for (const listener of committed) listener(key, change, actor.version);
    return { kind: 'committed', version: actor.version, ...(actor.version === 1 ? { born: actor.born } : {}) };
  }

  return {
    async load(key) {
      const actor = actors.get(key);
      return actor ? asStored(actor) : null;
    },
    commit: async (key, change) => commit(key, change),
    takeDueTimers: async (limit, leaseMs) => takeDue(timers, { limit, leaseMs, at: now() }),
    async clearTimers(fired) {
      for (const timer of fired) timers.delete(timerName(timer));
    },
    takeDueEffects: async (limit, leaseMs) => takeDue(outbox, { limit, leaseMs, at: now() }),
    async clearEffects(effects) {
      for (const { key, effectId } of effects) outbox.delete(`${key}|${effectId}`);
    },
    async readJournal(key) {
      const actor = actors.get(key);
      if (!actor) return null;
      const { entries, missing } = actor.journal;
      return { entries: [...entries], missing, snapshot: actor.snapshot };
    },
    async remove(key) {
      for (const timer of actors.get(key)?.timers.values() ?? []) timers.delete(timerName(timer));
      actors.delete(key);
      for (const listener of removed) listener(key);
    },
    wipe() {
      for (const map of [actors, timers, outbox]) map.clear();
    },
    onCommit: listener => void committed.push(listener),
    onRemove: listener => void removed.push(listener),
    keys: () => [...actors.keys()],
  };
}

function newActor(): Actor {
  const journal = { entries: [], bytes: 0, missing: 0 };
  return { version: 0, commandIds: [], snapshot: '', meta: null, born: '', timers: new Map(), journal };
}

function writeEntry({ journal }: Actor, entry: StoredEntry): void {
  const bytes = journal.bytes + Buffer.byteLength(entry.body);
  if (journal.entries.length >= JOURNAL_LIMITS.entries || bytes > JOURNAL_LIMITS.bytes) return void (journal.missing += 1);
  journal.entries.push(entry);
  journal.bytes = bytes;
}

function asStored({ version, snapshot, commandIds, meta, born }: Actor): StoredActor {
  return { version, snapshot, commandIds: [...commandIds], meta, born };
}

/** Leases due entries, oldest first, by moving their due time: another instance can take them only after the lease. */
function takeDue<T>(entries: Map<string, Due<T>>, ask: { limit: number; leaseMs: number; at: number }): T[] {
  const due: [string, Due<T>][] = [];
  for (const entry of entries) if (entry[1].dueAt <= ask.at) due.push(entry);
  if (due.length === 0) return [];
  due.sort(([nameA, a], [nameB, b]) => a.dueAt - b.dueAt || (nameA < nameB ? -1 : 1));
  const taken = due.slice(0, ask.limit);
  for (const [, entry] of taken) entry.dueAt = ask.at + ask.leaseMs;
  return taken.map(([, entry]) => entry.item);
}

function timerName({ key, timer, version, setting }: DueTimer): string {
  return `${key}|${timer}|${version}|${setting}`;
}
