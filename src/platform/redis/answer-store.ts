import { z } from 'zod';
import type { IdSource } from '#kernel/ids.ts';
import { defineScript, type RedisLink } from './client.ts';
import { answerKeys } from './keys.ts';

const BEGIN = defineScript('begin-answer-2.lua');
const FINISH = defineScript('finish-answer-2.lua');
const FORGET = defineScript('forget-answer-1.lua');

/** Source: D2.8 */
const ANSWER_LIFE_MS = 24 * 60 * 60_000;
/** Longer than any request may take; a key whose server crashed becomes free after it. */
const UNDER_WAY_LIFE_MS = 5 * 60_000;
/** Overhead of an entry besides its answer. */
const ENTRY_BYTES = 512;
/** Larger answers are not stored; the longest is that to a thousand dials, all refused. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Limit per owner and day: some ten thousand ordinary answers. */
const MAX_OWNER_BYTES = 32 * 1024 * 1024;

const replySchema = z.tuple([z.string()], z.union([z.string(), z.number()]));

export interface RepeatableRequest {
  /** Owner whose quota the answer counts against. */
  owner: string;
  /** Hash of owner, method, path and key. */
  id: string;
  /** Hash of the request's content. */
  fingerprint: string;
}

export type AnswerTurn =
  | { kind: 'first'; token: string }
  /** `answer` is null when it was too large to be stored. */
  | { kind: 'answered'; answer: string | null }
  | { kind: 'in_flight' }
  | { kind: 'other_request' }
  /** The owner's quota is used up until then. */
  | { kind: 'full'; retryAfterSeconds: number };

export type AnswerStore = ReturnType<typeof redisAnswerStore>;

/**
 * Stored answers to repeatable commands, by the sender's idempotency key.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D2.8
 */
export function redisAnswerStore(link: RedisLink, ids: IdSource) {
  return {
    /** Reserves the key for a request that is about to run, unless it is taken. */
    async begin(asked: RepeatableRequest) {
      const token = ids();
      const args = [asked.fingerprint, token, UNDER_WAY_LIFE_MS, ENTRY_BYTES, MAX_OWNER_BYTES, ANSWER_LIFE_MS];
      return turnOf(replySchema.parse(await link.eval(BEGIN, { keys: keysOf(asked), args })), token);
    },
    /** Stores the answer of the request that reserved the key; if it exceeds the owner's quota, only the fact that there was one. */
    async finish(asked: RepeatableRequest, token: string, answer: string) {
      const kept = Buffer.byteLength(answer) > MAX_ANSWER_BYTES ? '' : answer;
      await link.eval(FINISH, { keys: keysOf(asked), args: [token, kept, Buffer.byteLength(kept), MAX_OWNER_BYTES, ANSWER_LIFE_MS] });
    },
    /** The request had no effect: the next one with the key will run. */
    async abandon(asked: RepeatableRequest, token: string) {
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
