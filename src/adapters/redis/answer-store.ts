import { z } from 'zod';
import type { IdSource } from '#kernel/ids.ts';
import type { AnswerStore, AnswerTurn, RepeatableRequest } from '#ports/answer-store.ts';
import type { RedisLink } from './client.ts';
import { answerKeys } from './keys.ts';
import { defineScript } from './script.ts';

const BEGIN = defineScript('begin-answer-2.lua');
const FINISH = defineScript('finish-answer-2.lua');
const FORGET = defineScript('forget-answer-1.lua');

/** Source: D2.8 */
const ANSWER_LIFE_MS = 24 * 60 * 60_000;
/** Longer than any request may take; a key whose server died comes free after it. */
const UNDER_WAY_LIFE_MS = 5 * 60_000;
/** What an entry costs beside its answer. */
const ENTRY_BYTES = 512;
/** Larger answers are not kept. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Of one owner in a day: some ten thousand ordinary answers. */
const MAX_OWNER_BYTES = 32 * 1024 * 1024;

const replySchema = z.tuple([z.string()], z.union([z.string(), z.number()]));

export function redisAnswerStore(link: RedisLink, ids: IdSource): AnswerStore {
  return {
    async begin(asked) {
      const token = ids();
      const args = [asked.fingerprint, token, UNDER_WAY_LIFE_MS, ENTRY_BYTES, MAX_OWNER_BYTES, ANSWER_LIFE_MS];
      return turnOf(replySchema.parse(await link.eval(BEGIN, { keys: keysOf(asked), args })), token);
    },
    async finish(asked, token, answer) {
      const kept = Buffer.byteLength(answer) > MAX_ANSWER_BYTES ? '' : answer;
      await link.eval(FINISH, { keys: keysOf(asked), args: [token, kept, Buffer.byteLength(kept), MAX_OWNER_BYTES, ANSWER_LIFE_MS] });
    },
    async abandon(asked, token) {
      const [entry = ''] = keysOf(asked);
      await link.eval(FORGET, { keys: [entry], args: [token] });
    },
  };
}

function keysOf({ owner, id }: RepeatableRequest): string[] {
  const { entry, room } = answerKeys(owner, id);
  return [entry, room];
}

function turnOf([kind, more]: z.output<typeof replySchema>, token: string): AnswerTurn {
  switch (kind) {
    case 'first':
      return { kind, token };
    case 'answered':
      return { kind, answer: typeof more === 'string' && more !== '' ? more : null };
    case 'full':
      return { kind, retryAfterSeconds: Math.max(1, Math.ceil(Number(more) / 1_000)) };
    case 'in_flight':
    case 'other_request':
      return { kind };
    default:
      throw new Error(`begin-answer-2.lua answers ${kind}`);
  }
}
