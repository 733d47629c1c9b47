import { type PooledRuntime, type PoolMember, type RuntimePool, unheardRuntime } from '#ports/runtime-pool.ts';
import type { RedisLink } from './client.ts';
import { SLOT_PREFIX } from './keys.ts';
import { defineScript } from './script.ts';

const RUN = defineScript('run-pool-1.lua');
/** A reservation reads all of them. */
const MAX_RUNTIMES = 500;

interface Row extends Pick<PooledRuntime, 'seenAt' | 'ageMs' | 'isGone' | 'calls'> {
  /** JSON of the member. */
  member: string;
  requestIds?: string[];
}

/** The pool in Redis; a runtime of which nothing is heard for `goneAfterMs` is gone. */
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
  };
}

function json(entries: ReadonlyMap<string, string>): string {
  return JSON.stringify(Object.fromEntries(entries));
}

function beatOutcome(answer: unknown): 'new' | 'known' | 'full' {
  return answer === 'full' || answer === 'new' ? answer : 'known';
}

function pooled({ member, seenAt, ageMs, isGone, calls }: Row): PooledRuntime {
  const facts: PoolMember = JSON.parse(member);
  return { ...facts, seenAt, ageMs, isGone, calls };
}
