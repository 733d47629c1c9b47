import { CalloutError } from '#kernel/errors.ts';
import { type Breaker, CLOSED_BREAKER } from '#rules/breaker.ts';
import type { BreakerStore } from '#ports/breaker-store.ts';
import type { RedisLink } from '#adapters/redis/client.ts';
import { breakerKey } from '#adapters/redis/keys.ts';
import { defineScript } from '#adapters/redis/script.ts';

const SWAP = defineScript('swap-text-1.lua', import.meta.url);
/** Other instances write a few times a second at most. */
const MAX_TRIES = 5;

/** Breakers as JSON texts; `lifeMs` outlasts every window and pause. */
export function redisBreakerStore(redis: RedisLink, options: { lifeMs: number }): BreakerStore {
  const call = async (campaignId: number, args: readonly (string | number)[]) => {
    const reply = await redis.eval(SWAP, { keys: [breakerKey(campaignId)], args });
    const [replaced, text, at] = reply as [number, string, number];
    return { isReplaced: replaced === 1, text, at };
  };

  return {
    async read(campaignId) {
      const { text, at } = await call(campaignId, []);
      return { breaker: parseBreaker(text), at };
    },

    async change(campaignId, decide) {
      let { text, at } = await call(campaignId, []);
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const before = parseBreaker(text);
        const after = decide(before, at);
        if (after === before) return { before, after, at };
        const swapped = await call(campaignId, [text, JSON.stringify(after), options.lifeMs]);
        if (swapped.isReplaced) return { before, after, at };
        ({ text, at } = swapped);
      }
      throw new CalloutError('LOCK_CONTENDED', '活动的熔断状态正在被其他实例更新，请稍后重试');
    },
  };
}

/** Only this store writes the key, so its shape is known; what another version wrote with another shape starts closed. */
function parseBreaker(text: string): Breaker {
  if (text === '') return CLOSED_BREAKER;
  const breaker = JSON.parse(text) as Breaker;
  return KINDS.has(breaker.kind) ? breaker : CLOSED_BREAKER;
}

const KINDS: ReadonlySet<string> = new Set<Breaker['kind']>(['closed', 'open', 'probing']);
