import { spellingsOf, withoutNumber } from '#phone-numbers/phone-number.ts';
import { defineScript, type RedisLink } from '#platform/redis/client.ts';
import { ANSWER_KEYS, IMPORT_KEYS } from '#platform/redis/keys.ts';

const BLANK = defineScript('blank-answer-1.lua', import.meta.url);
/** Keys per scan step; other clients are served between steps. */
const STEP_KEYS = 1_000;

export type HeldTexts = ReturnType<typeof redisHeldTexts>;

/**
 * Texts with personal data that remain cached for hours: faulty rows of imports, and answers of repeatable requests.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D2.8, D6.6
 */
export function redisHeldTexts(link: RedisLink) {
  return {
    /** Masks the number in import results, and removes stored answers that contain it. */
    async eraseNumber(dialKey: string): Promise<void> {
      const names = new RegExp(spellingsOf(dialKey));
      for await (const key of keysLike(link, IMPORT_KEYS, 'string')) await maskImport(link, key, { dialKey, names });
      for await (const key of keysLike(link, ANSWER_KEYS, 'hash')) await blankAnswer(link, key, names);
    },
  };
}

async function* keysLike(link: RedisLink, pattern: string, type: string): AsyncGenerator<string> {
  let cursor = '0';
  do {
    const from = cursor;
    const [next, keys] = await link.run(redis => redis.scan(from, 'MATCH', pattern, 'COUNT', STEP_KEYS, 'TYPE', type));
    yield* keys;
    cursor = next;
  } while (cursor !== '0');
}

async function maskImport(link: RedisLink, key: string, { dialKey, names }: { dialKey: string; names: RegExp }): Promise<void> {
  const text = await link.run(redis => redis.get(key));
  if (text === null || !names.test(text)) return;
  const masked = JSON.stringify(withoutNumber(JSON.parse(text), dialKey));
  await link.run(redis => redis.set(key, masked, 'KEEPTTL', 'XX'));
}

async function blankAnswer(link: RedisLink, key: string, names: RegExp): Promise<void> {
  const answer = await link.run(redis => redis.hget(key, 'answer'));
  if (answer !== null && names.test(answer)) await link.eval(BLANK, { keys: [key], args: [] });
}
