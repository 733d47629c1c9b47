import type { LiveCallStore, LiveSegment, SegmentsAppended, StoredLiveCall } from '#ports/live-call-store.ts';
import { staleEpoch } from '#kernel/errors.ts';
import type { RedisLink } from './client.ts';
import { gatheredEval } from './gathered-eval.ts';
import { allPartitions, callKeys, captionKeys } from './keys.ts';
import { replied } from './replied.ts';
import { defineScript } from './script.ts';

const APPEND = defineScript('append-segments-3.lua');

/** D9.2: last 200. */
const MAX_SEGMENTS = 200;
/** Longer than any call is retained; a leak's end. ms */
const CAPTIONS_LIFE_MS = 24 * 3_600_000;

/** Calls whose facts are remembered, about 1 KiB each. */
const MAX_REMEMBERED = 2_000;

/** Captions and live views in Redis. */
export function redisLiveCallStore(redis: RedisLink): LiveCallStore {
  const append = gatheredEval(redis, APPEND);
  const facts = rememberedFacts();
  return {
    async appendSegments(requestId, segments, epoch = null): Promise<SegmentsAppended | null> {
      const { spoken, places } = captionKeys(requestId);
      const keys = [callKeys(requestId).actor, spoken, places];
      const answer = (await append({
        keys,
        args: [MAX_SEGMENTS, CAPTIONS_LIFE_MS, JSON.stringify(segments.map(packed)), epoch ?? 0],
      })) as unknown[];
      if (answer.length === 0) return null;
      if (answer[0] === 'stale') throw staleEpoch();
      const [version, meta, ...accepted] = answer;
      return { version: Number(version), ...facts(String(meta)), accepted: accepted.map(flag => flag === 1) };
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
          pipeline.hmget(callKeys(id).actor, 'version', 'snapshot', 'meta').lrange(captionKeys(id).spoken, 0, -1);
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

/** A caption without the names of its members: they would take a third of what Redis holds of a call. Places of id, text, final: append-segments. */
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

function packed({ segmentId, speaker, text, final, startMs, endMs, nodeId, at, seq }: LiveSegment): Caption {
  return [segmentId, speaker, text, final, startMs, endMs, nodeId, at, seq];
}

function unpacked(caption: string): LiveSegment {
  const [segmentId, speaker, text, final, startMs, endMs, nodeId, at, seq] = JSON.parse(caption) as Caption;
  return { segmentId, speaker, text, final, startMs, endMs, nodeId, at, seq };
}

type Facts = Pick<SegmentsAppended, 'campaignId' | 'intentKeywords'>;

/** A call's facts never change: they are read once for all its captions, of the calls that spoke last. */
function rememberedFacts(): (meta: string) => Facts {
  const known = new Map<string, Facts>();
  return meta => {
    const remembered = known.get(meta);
    if (remembered) return remembered;
    const facts = factsOf(meta);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(meta, facts);
    return facts;
  };
}

function factsOf(meta: string): Facts {
  const { campaignId = 0, businessConfig } = (meta === '' ? {} : JSON.parse(meta)) as {
    campaignId?: number;
    businessConfig?: { intentKeywords?: string[] };
  };
  return { campaignId, intentKeywords: businessConfig?.intentKeywords ?? [] };
}
