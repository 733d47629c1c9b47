import { type PooledRuntime, type PoolMember, type RuntimePool, unheardRuntime } from './runtime-pool.ts';
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS, RESTS_MS, type RuntimeVerdict } from './decisions/runtime-care.ts';
import { defineScript, type RedisLink } from '#platform/redis/client.ts';
import { SLOT_PREFIX } from '#platform/redis/keys.ts';

const RUN = defineScript('run-pool-1.lua', import.meta.url);
const PAUSES = { restsMs: RESTS_MS, firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS };
/** Limit of runtimes: each reservation reads them all. */
const MAX_RUNTIMES = 500;

interface Row extends Pick<PooledRuntime, 'seenAt' | 'ageMs' | 'isGone' | 'calls'> {
  aside?: PooledRuntime['aside'];
  /** The member as JSON. */
  member: string;
  requestIds?: string[];
}

/** The pool, stored in Redis; a runtime without heartbeat for `goneAfterMs` counts as gone. */
export function redisRuntimePool(redis: RedisLink, { goneAfterMs }: { goneAfterMs: number }): RuntimePool {
  const run = (...args: (string | number)[]) => redis.eval(RUN, { keys: [SLOT_PREFIX], args });
  const rows = async (...args: (string | number)[]): Promise<Row[]> => JSON.parse(String(await run(...args)));
  return {
    beat: async member => beatOutcome(await run('beat', member.runtimeId, JSON.stringify(member), goneAfterMs, MAX_RUNTIMES)),
    async bye(runtimeId) {
      await run('bye', runtimeId);
    },
    list: async () => (await rows('list')).map(pooled),
    size: () => redis.run(client => client.hlen(`${SLOT_PREFIX}rt`)),
    lost: async maxCalls => (await rows('lost', maxCalls)).map(row => ({ ...pooled(row), requestIds: row.requestIds ?? [] })),
    async hold(calls) {
      const owners = new Map(calls.map(({ requestId, runtimeId }) => [requestId, runtimeId]));
      const unheard = new Map([...owners.values()].map(runtimeId => [runtimeId, JSON.stringify(unheardRuntime(runtimeId))]));
      await run('hold', json(unheard), goneAfterMs, json(owners));
    },
    pick: async (requestId, request) => String(await run('pick', requestId, JSON.stringify(request))) || null,
    note: async (fact, care) => verdictOf(await run('note', JSON.stringify({ ...fact, ...care, ...PAUSES }))),
    closedBusinesses: async () => JSON.parse(String(await run('closed'))),
  };
}

function json(entries: ReadonlyMap<string, string>): string {
  return JSON.stringify(Object.fromEntries(entries));
}

function beatOutcome(answer: unknown): 'new' | 'known' | 'full' {
  return answer === 'full' || answer === 'new' ? answer : 'known';
}

function verdictOf(answer: unknown): RuntimeVerdict | null {
  return answer === 'aside' || answer === 'back' || answer === 'closed' || answer === 'open' ? answer : null;
}

function pooled({ member, seenAt, ageMs, isGone, aside = null, calls }: Row): PooledRuntime {
  const facts: PoolMember = JSON.parse(member);
  return { ...facts, seenAt, ageMs, isGone, aside, calls };
}
