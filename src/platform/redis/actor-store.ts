import { type Clock, systemClock } from '#kernel/clock.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import {
  type ActorCommit,
  type ActorStore,
  type CommitOutcome,
  type DueTimer,
  JOURNAL_LIMITS,
  type JournalReader,
  type StoredActor,
  type StoredEffect,
  type StoredJournal,
} from '../actor-host/actor-store.ts';
import { defineScript, type RedisLink } from './client.ts';
import { gatheredEval, gatheredMembers } from './gathered-eval.ts';
import { type ActorSpace, CALL_SPACE } from './keys.ts';

const TICK_MS = 50;
/** Later timers are left to the sweep of all partitions, ms. */
const HORIZON_MS = 60_000;

/**
 * Partitions in which this process has set timers that are due. A timer that has been cancelled costs a needless look-up.
 *
 * Why: two look-ups in each of 256 partitions four times a second caused half of an idle server's load
 */
export class DueTimers {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Partition keys by the tick at which their timers are certainly due. */
  readonly #ticks = new Map<number, Set<string>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Call it after the store has answered, so that the store's clock started no later. */
  note(key: string, delayMs: number): void {
    if (delayMs > HORIZON_MS) return;
    const tick = Math.floor((this.#clock.monotonic() + delayMs) / TICK_MS) + 1;
    const keys = this.#ticks.get(tick);
    if (keys) keys.add(key);
    else this.#ticks.set(tick, new Set([key]));
  }

  /** Returns each due tick once. */
  take(): string[] {
    const now = this.#clock.monotonic() / TICK_MS;
    const due = [...this.#ticks].filter(([tick]) => tick <= now);
    for (const [tick] of due) this.#ticks.delete(tick);
    return [...new Set(due.flatMap(([, keys]) => [...keys]))];
  }
}

const COMMIT = defineScript('commit-actor-n.lua');
const TAKE = defineScript('take-due-1.lua');
const REMOVE = defineScript('remove-actor-n.lua');

/** How long deletions of finished effects are collected; well below the effects' lease, ms. */
const CLEAR_LINGER_MS = 250;
const MAX_CLEARED = 500;

/** Actors of one type in Redis: one hash per actor, with the timers and the outbox of its partition. */
export function redisActorStore(redis: RedisLink, space: ActorSpace = CALL_SPACE): ActorStore & JournalReader {
  const partitions = space.partitions();
  const dueTimers = new DueTimers(systemClock);
  const read = gatheredMembers(redis, ['version', 'snapshot', 'commands', 'meta', 'born']);
  const write = gatheredEval(redis, COMMIT);
  const cleared = new MicroBatcher<DoneEffects>({
    maxBatch: MAX_CLEARED,
    linger: leave => systemClock.schedule(CLEAR_LINGER_MS, leave),
    write: done => clearAll(redis, space, done.flat()),
  });
  const keysOf = (id: string) => {
    const keys = space.keysOf(id);
    return [keys.actor, keys.due, keys.outboxOrder, keys.outboxBodies, keys.live];
  };

  return {
    async load(id): Promise<StoredActor | null> {
      return storedActor(await read(space.keysOf(id).actor));
    },

    async commit(id, commit): Promise<CommitOutcome> {
      const answer = await write({
        keys: keysOf(id),
        args: [
          commit.expectedVersion,
          commit.commandId,
          JSON.stringify(commitBody(id, commit)),
          commit.journal ?? '',
          JOURNAL_LIMITS.entries,
          JOURNAL_LIMITS.bytes,
        ],
      });
      for (const delayMs of Object.values(commit.timers)) if (delayMs !== null) dueTimers.note(space.keysOf(id).due, delayMs);
      if (Array.isArray(answer)) return opened(answer) ?? lost(answer);
      const version = Number(answer);
      if (version > 0) return { kind: 'committed', version };
      return version === 0 ? { kind: 'conflict' } : { kind: 'duplicate' };
    },

    async takeDueTimers(limit, leaseMs, whose = 'all'): Promise<DueTimer[]> {
      const own = dueTimers.take();
      const keys = whose === 'own' ? own : partitions.map(partition => partition.due);
      const { members, cutOff } = await takeDue(redis, keys, limit, leaseMs);
      for (const key of cutOff) dueTimers.note(key, 0);
      return members.map(parseTimer);
    },

    async clearTimers(timers) {
      await redis.run(async client => {
        const pipeline = client.pipeline();
        for (const timer of timers) pipeline.zrem(space.keysOf(timer.key).due, memberOf(timer));
        await pipeline.exec();
      });
    },

    async takeDueEffects(limit, leaseMs): Promise<StoredEffect[]> {
      const keys = partitions.map(partition => partition.outboxOrder);
      return readEffects(redis, space, (await takeDue(redis, keys, limit, leaseMs)).members);
    },

    async clearEffects(effects) {
      if (effects.length > 0) await cleared.add(effects);
    },

    async readJournal(id) {
      return journalIn(await redis.run(client => client.hgetall(space.keysOf(id).actor)));
    },

    async remove(id) {
      await redis.eval(REMOVE, { keys: [...keysOf(id), ...space.companionsOf(id)], args: [id] });
    },
  };
}

const ENTRY = 'j:';

/** The journal among the fields of an actor; see commit-actor-n.lua. */
function journalIn(fields: Readonly<Record<string, string>>): StoredJournal | null {
  const { snapshot, journal = '' } = fields;
  if (snapshot === undefined) return null;
  const entries = Object.keys(fields).flatMap(name => (name.startsWith(ENTRY) ? [entryIn(name, fields[name] ?? '')] : []));
  return { entries: entries.sort((a, b) => a.version - b.version), missing: Number(journal.split(' ')[2] ?? 0), snapshot };
}

function entryIn(name: string, text: string): StoredJournal['entries'][number] {
  const end = text.indexOf(' ');
  return { version: Number(name.slice(ENTRY.length)), at: Number(text.slice(0, end)), body: text.slice(end + 1) };
}

type Members = readonly (string | null | undefined)[];

function storedActor([version, snapshot, commands, meta, born]: Members): StoredActor | null {
  if (!version || !snapshot) return null;
  const commandIds: string[] = JSON.parse(commands ?? '[]');
  return { version: Number(version), snapshot, commandIds, meta: meta ?? null, ...(born ? { born } : {}) };
}

/** Null when another commit came first. */
function opened([version, born]: readonly unknown[]): CommitOutcome | null {
  return Number(version) > 0 ? { kind: 'committed', version: Number(version), born: String(born) } : null;
}

function lost([, ...members]: readonly unknown[]): CommitOutcome {
  const now = storedActor(members as Members);
  return { kind: 'conflict', ...(now ? { now } : {}) };
}

type DoneEffects = Parameters<ActorStore['clearEffects']>[0];

async function clearAll(redis: RedisLink, space: ActorSpace, effects: DoneEffects): Promise<void> {
  await redis.run(async client => {
    const pipeline = client.pipeline();
    for (const { key, effectId } of effects) {
      const keys = space.keysOf(key);
      pipeline.zrem(keys.outboxOrder, `${key}|${effectId}`);
      pipeline.hdel(keys.outboxBodies, `${key}|${effectId}`);
    }
    await pipeline.exec();
  });
}

function commitBody(id: string, commit: ActorCommit) {
  const timers = Object.fromEntries(Object.entries(commit.timers).map(([name, delayMs]) => [name, delayMs ?? false]));
  return {
    id,
    born: commit.born,
    earlier: commit.earlier,
    snapshot: commit.snapshot,
    meta: commit.meta,
    timers,
    effects: commit.effects,
    effectLeaseMs: commit.effectLeaseMs,
  };
}

/** Reads the bodies of outbox members; a member without a body has been finished in the meantime. */
async function readEffects(redis: RedisLink, space: ActorSpace, members: readonly string[]): Promise<StoredEffect[]> {
  if (members.length === 0) return [];
  const bodies = await redis.run(async client => {
    const pipeline = client.pipeline();
    for (const member of members) pipeline.hget(space.keysOf(idOf(member)).outboxBodies, member);
    return (await pipeline.exec()) ?? [];
  });
  return members.flatMap((member, index) => {
    const body = bodies[index]?.[1];
    return typeof body === 'string' ? [{ key: idOf(member), effectId: member.slice(idOf(member).length + 1), body }] : [];
  });
}

/** Queries every partition in one round trip; an empty one costs about 2 µs of Redis. `cutOff`: keys with more due members than were taken. */
async function takeDue(redis: RedisLink, keys: readonly string[], limit: number, leaseMs: number) {
  if (keys.length === 0) return { members: [], cutOff: [] };
  const perKey = Math.max(1, Math.ceil(limit / Math.min(16, keys.length)));
  const taken = (await redis.evalMany(
    TAKE,
    keys.map(key => ({ keys: [key], args: [perKey, leaseMs] })),
  )) as string[][];
  return { members: taken.flat(), cutOff: keys.filter((_, index) => taken[index]?.length === perKey) };
}

function idOf(member: string): string {
  return member.slice(0, member.indexOf('|'));
}

function parseTimer(member: string): DueTimer {
  const [key = '', timer = '', version = '0', setting = ''] = member.split('|');
  return { key, timer, version: Number(version), setting };
}

function memberOf({ key, timer, version, setting }: DueTimer): string {
  return [key, timer, version, ...(setting === '' ? [] : [setting])].join('|');
}
