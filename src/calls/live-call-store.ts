import type { Speaker } from '#attempts/attempt.ts';
import { staleEpoch } from '#kernel/errors.ts';
import { defineScript, type RedisLink } from '#platform/redis/client.ts';
import { gatheredEval, replied } from '#platform/redis/gathered-eval.ts';
import { allPartitions, callKeys, captionKeys } from '#platform/redis/keys.ts';

/**
 * Captions and live views of calls, stored in the same partition and under the same version as the call's actor.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: A3, A5, D9.1, D9.2
 */
export interface LiveCallStore {
  /**
   * Appends or replaces final and partial segments in one step; each segment that changes something increases the call's version. Null when the
   * call is unknown. `owner`: name of the reporting runtime and the hand-over that gave it the call; its `seq` counts from there. STALE_EPOCH
   * when the call belongs to another runtime.
   *
   * Why: reports may be repeated or out of order, so a known `seq`, or a text with a lower `seq` than the stored one, changes nothing
   */
  appendSegments(requestId: string, segments: readonly LiveSegment[], owner?: CaptionOwner): Promise<SegmentsAppended | null>;
  /** Ids of stored calls, at most `limit`. */
  listIds(limit: number): Promise<string[]>;
  /** Version, snapshot, meta and captions of each call, without unknown ones. */
  read(requestIds: readonly string[]): Promise<StoredLiveCall[]>;
  /** Version of each stored call, to compare many calls without reading them. */
  versions(requestIds: readonly string[]): Promise<Map<string, number>>;
}

export interface LiveCallsPart {
  liveCalls: LiveCallStore;
}

export interface CaptionsPart {
  liveCalls: Pick<LiveCallStore, 'read'>;
}

export interface LiveCallReadPart {
  liveCalls: Pick<LiveCallStore, 'read'>;
}

interface CaptionOwner {
  epoch: number | null;
  runtimeId: string | null;
}

export interface LiveSegment {
  segmentId: string;
  speaker: Speaker;
  text: string;
  final: boolean;
  startMs: number | null;
  endMs: number | null;
  nodeId: string | null;
  /** UTC ms. */
  at: number;
  /** Sequence number of the runtime; null when it sent none. */
  seq: number | null;
}

interface SegmentsAppended {
  /** Version after the last segment. */
  version: number;
  /** 0 when the static facts of the call are missing. */
  campaignId: number;
  /** Keywords that raise an intent alert (OCS 4.12 rule 2). */
  intentKeywords: readonly string[];
  /** Whether each segment changed anything, in the given order. */
  accepted: boolean[];
}

export interface StoredLiveCall {
  requestId: string;
  version: number;
  snapshot: string;
  meta: string | null;
  segments: LiveSegment[];
}

const APPEND = defineScript('append-segments-3.lua', import.meta.url);

/** The latest 200 (D9.2). */
const MAX_SEGMENTS = 200;
/** Longer than any call is kept; bounds leaks. ms */
const CAPTIONS_LIFE_MS = 24 * 3_600_000;
const WITH_META = 1;
/** Larger turns use several round trips: Redis works on the first while the rest is read, and fewer callers wait at a time. */
const MAX_GATHERED = 16;

/** Limit of calls with cached facts. */
const MAX_REMEMBERED = 5_000;

/** Captions and live views, stored in Redis. */
export function redisLiveCallStore(redis: RedisLink): LiveCallStore {
  const append = gatheredEval(redis, APPEND, MAX_GATHERED);
  // The facts of a call never change: they are read once, with the call's first captions here.
  const known = new Map<string, Facts>();
  return {
    async appendSegments(requestId, segments, owner): Promise<SegmentsAppended | null> {
      const { actor, spoken, places } = captionKeys(requestId);
      const facts = known.get(requestId);
      const { epoch = null, runtimeId = null } = owner ?? {};
      const args = [MAX_SEGMENTS, CAPTIONS_LIFE_MS, epoch ?? 0, facts ? 0 : WITH_META, runtimeId ?? '', ...segments.map(packed)];
      const answer = (await append({ keys: [actor, spoken, places], args })) as unknown[];
      if (answer.length === 0) return null;
      if (answer[0] === 'stale') throw staleEpoch();
      const accepted = segments.map((_segment, place) => answer[place + 2] === 1);
      return { version: Number(answer[0]), ...(facts ?? remember(known, requestId, String(answer[1]))), accepted };
    },

    async listIds(limit) {
      const replies = await redis.run(async client => {
        const pipeline = client.pipeline();
        for (const partition of allPartitions()) pipeline.srandmember(partition.live, limit);
        return replied(await pipeline.exec());
      });
      return replies.flatMap(ids => (ids ?? []) as string[]).slice(0, limit);
    },

    async read(requestIds) {
      if (requestIds.length === 0) return [];
      const replies = await redis.run(async client => {
        const pipeline = client.pipeline();
        for (const id of requestIds) {
          const { actor, spoken } = captionKeys(id);
          pipeline.hmget(actor, 'version', 'snapshot', 'meta').lrange(spoken, 0, -1);
        }
        return replied(await pipeline.exec());
      });
      return requestIds.flatMap((requestId, index) => {
        const call = toCall(requestId, replies.slice(index * 2, index * 2 + 2));
        return call ? [call] : [];
      });
    },

    async versions(requestIds) {
      if (requestIds.length === 0) return new Map();
      const replies = await redis.run(async client => {
        const pipeline = client.pipeline();
        for (const id of requestIds) pipeline.hget(callKeys(id).actor, 'version');
        return replied(await pipeline.exec());
      });
      return new Map(requestIds.flatMap((id, index) => (replies[index] ? [[id, Number(replies[index])] as const] : [])));
    },
  };
}

function toCall(requestId: string, [hash, spoken]: readonly unknown[]): StoredLiveCall | null {
  const [version, snapshot, meta] = hash as (string | null)[];
  if (!version || !snapshot) return null;
  return { requestId, version: Number(version), snapshot, meta: meta ?? null, segments: (spoken as string[]).map(unpacked) };
}

/** A caption as a tuple, since member names would take a third of a call's memory in Redis. append-segments uses the places of id, text, final. */
type Caption = [
  segmentId: string,
  speaker: LiveSegment['speaker'],
  text: string,
  final: boolean,
  startMs: number | null,
  endMs: number | null,
  nodeId: string | null,
  at: number,
  seq: number | null,
];

function packed({ segmentId, speaker, text, final, startMs, endMs, nodeId, at, seq }: LiveSegment): string {
  return JSON.stringify([segmentId, speaker, text, final, startMs, endMs, nodeId, at, seq] satisfies Caption);
}

function unpacked(caption: string): LiveSegment {
  const [segmentId, speaker, text, final, startMs, endMs, nodeId, at, seq]: Caption = JSON.parse(caption);
  return { segmentId, speaker, text, final, startMs, endMs, nodeId, at, seq };
}

type Facts = Pick<SegmentsAppended, 'campaignId' | 'intentKeywords'>;

/** A call without meta yields empty facts, which are not cached. */
function remember(known: Map<string, Facts>, requestId: string, meta: string): Facts {
  if (meta === '') return { campaignId: 0, intentKeywords: [] };
  const { campaignId = 0, businessConfig } = JSON.parse(meta) as { campaignId?: number; businessConfig?: { intentKeywords?: string[] } };
  const facts = { campaignId, intentKeywords: businessConfig?.intentKeywords ?? [] };
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(requestId, facts);
  return facts;
}
