import { unreachable } from '#kernel/assert.ts';
import type {
  ConfirmResult,
  HeldSlot,
  PermitAsk,
  PermitResult,
  ReserveRequest,
  ReserveResult,
  SlotLine,
  SlotRegistry,
  UsageKey,
} from './slot-registry.ts';
import { defineScript, type RedisLink } from '#platform/redis/client.ts';
import { SLOT_PREFIX } from '#platform/redis/keys.ts';
import { gathered, replied } from '#platform/redis/gathered-eval.ts';

const RESERVE = defineScript('reserve-slots-1.lua', import.meta.url, ['caller-numbers-1.lua']);
const CONFIRM = defineScript('confirm-slots-1.lua', import.meta.url);
const PERMIT = defineScript('permit-dials-1.lua', import.meta.url);
const RELEASE = defineScript('release-slots-1.lua', import.meta.url);
const RESTORE = defineScript('restore-slots-1.lua', import.meta.url);
const COUNT = defineScript('count-dials-1.lua', import.meta.url);
const OPEN = defineScript('open-slots-1.lua', import.meta.url);

/** Paced dials are granted at most this far in advance, ms. */
const HORIZON_MS = 10_000;
/** A dial may be sent this long after its booked instant; a later one must book again and may then be twice as late. ms */
const SLACK_MS = 20;
const MAX_SLACK_MS = 640;
/** Score of confirmed members. */
const HELD_SCORE = 9_000_000_000_000_000;
/** Most dials counted in one step, which blocks the store for some milliseconds. */
const TOLD_AT_ONCE = 2_000;
const EPOCH_KEY = `${SLOT_PREFIX}epoch`;
const REBUILD_KEY = `${SLOT_PREFIX}rebuild`;
/** Longer than any rebuild; keys of a crashed one expire after it, ms. */
const REBUILD_LIFE_MS = 600_000;

type ReserveAnswer = Partial<ReserveResult> & { watchable?: number };

/** A request for no dials, used to read counts only. */
const NOTHING = { weight: 1, campaignMax: 0, callIntervalMs: 0, lines: [], cells: [], requestIds: [] };

/** The slot registry in Redis; `leaseMs` is the lease of an unconfirmed reservation. */
export function redisSlotRegistry(redis: RedisLink, options: { leaseMs: number }): SlotRegistry {
  const evaluate = async (script: typeof RESERVE, args: readonly (string | number)[]) => redis.eval(script, { keys: [SLOT_PREFIX], args });
  const list = async <Item>(...asked: Parameters<typeof evaluate>) => (await evaluate(...asked)) as Item[];
  const ask = async (request: ReserveRequest): Promise<ReserveAnswer> => {
    const full = { ...request, leaseMs: options.leaseMs, horizonMs: HORIZON_MS, slackMs: SLACK_MS };
    return JSON.parse(String(await evaluate(RESERVE, [JSON.stringify(full)])));
  };

  const releaseTogether = gathered<readonly string[], number>(async batches => {
    const released = new Set(await list<string>(RELEASE, ['ids', ...new Set(batches.flat())]));
    // When two callers release the same slot, only the first counts.
    return batches.map(requestIds => requestIds.filter(requestId => released.delete(requestId)).length);
  });

  const permitTogether = gathered<readonly PermitAsk[], PermitResult[]>(async groups => {
    const asks = groups.flat();
    const args = asks.flatMap(ask => [
      ask.requestId,
      Math.max(0, Math.floor(ask.withinMs)),
      slackOf(ask),
      ask.leg ?? '',
      ask.cell?.cellId ?? '',
      ask.cell?.maxPerSecond ?? 0,
    ]);
    const answers = await list<number>(PERMIT, [SLACK_MS, ...args]);
    const results = asks.map((ask, index) => permitResult(ask, answers[2 * index] ?? -1, answers[2 * index + 1] ?? 0));
    let taken = 0;
    return groups.map(group => results.slice(taken, (taken += group.length)));
  });

  return {
    async reserve(request: ReserveRequest): Promise<ReserveResult> {
      const { grants = [], refusal = null, retryInMs = null, yieldTo = [], uncounted } = await ask(request);
      return { grants, refusal, retryInMs, yieldTo, ...(uncounted ? { uncounted } : {}) };
    },

    async confirm(requestIds, previous = {}) {
      if (requestIds.length === 0) return [];
      const args = requestIds.flatMap(requestId => [requestId, previous[requestId] ?? '']);
      const answers = await list<number>(CONFIRM, args);
      return requestIds.map((requestId, index) => confirmResult(requestId, answers[index] ?? -1));
    },

    permit: asks => (asks.length === 0 ? Promise.resolve([]) : permitTogether(asks)),

    async release(requestIds) {
      if (requestIds.length === 0) return 0;
      return releaseTogether(requestIds);
    },

    async purgeExpired(limit) {
      return list<string>(RELEASE, ['expired', limit]);
    },

    async listHeld(cursor, limit) {
      const [next, flat] = await redis.run(client => client.zscan(`${SLOT_PREFIX}exp`, cursor, 'COUNT', limit));
      const ids = confirmedIds(flat);
      const rows = await redis.run(client => readHolders(client, ids));
      return { cursor: next, held: rows };
    },

    isCold: async () => (await redis.run(client => client.exists(EPOCH_KEY))) === 0,

    async startRebuild(rebuild) {
      await redis.run(client => client.set(REBUILD_KEY, rebuild, 'PX', REBUILD_LIFE_MS));
    },

    async restore(rebuild, entries) {
      if (entries.length > 0) await evaluate(RESTORE, [rebuild, JSON.stringify(entries)]);
    },

    async countDials(numbers, dials, lines) {
      const holders = lines.flatMap(line => holdersOf(line, numbers));
      const told = dials.map(dial => ({ ...dial, at: dial.at ?? undefined }));
      // A number counts as known only when all of its dials have been counted.
      const tell = (part: typeof told, known: readonly string[]) =>
        evaluate(COUNT, [JSON.stringify({ numbers: known, dials: part, holders: known.length > 0 ? holders : [] })]);
      for (let from = 0; from < told.length; from += TOLD_AT_ONCE) await tell(told.slice(from, from + TOLD_AT_ONCE), []);
      await tell([], numbers);
    },

    open: async rebuild => Number(await evaluate(OPEN, [rebuild])) === 1,

    async usage(keys) {
      if (keys.length === 0) return [];
      const counts = await redis.run(async client => {
        const pipeline = client.pipeline();
        for (const key of keys) pipeline.zcard(usageKey(key));
        return replied(await pipeline.exec());
      });
      return counts.map(Number);
    },

    watchable: async campaignId => (await ask({ ...NOTHING, campaignId, needsMonitor: true })).watchable ?? null,
  };
}

function confirmResult(requestId: string, answer: number): ConfirmResult {
  if (answer < 0) return { requestId, outcome: 'gone', waitMs: 0 };
  return answer === 0 ? { requestId, outcome: 'confirmed', waitMs: 0 } : { requestId, outcome: 'early', waitMs: answer };
}

function slackOf({ missed }: PermitAsk): number {
  return Math.min(MAX_SLACK_MS, SLACK_MS * 2 ** missed);
}

function permitResult(ask: PermitAsk, outcome: number, waitUs: number): PermitResult {
  const { requestId } = ask;
  const waitMs = waitUs / 1_000;
  if (outcome < 0) return { requestId, outcome: 'gone' };
  return outcome === 0 ? { requestId, outcome: 'booked', waitMs, lateMs: slackOf(ask) } : { requestId, outcome: 'later', waitMs };
}

/** ZSCAN returns member, score, member, score … */
function confirmedIds(flat: readonly string[]): string[] {
  return flat.filter((_, index) => index % 2 === 0 && Number(flat[index + 1]) >= HELD_SCORE);
}

type Client = Parameters<Parameters<RedisLink['run']>[0]>[0];

async function readHolders(client: Client, ids: readonly string[]): Promise<HeldSlot[]> {
  if (ids.length === 0) return [];
  const pipeline = client.pipeline();
  for (const id of ids) pipeline.hmget(`${SLOT_PREFIX}req:${id}`, 'camp', 'line', 'num', 'cell');
  // A slot whose row could not be read would look like one without a cell, which may be released.
  const rows = replied(await pipeline.exec());
  return ids.map((requestId, index) => {
    const [camp, line, num, cell] = (rows[index] ?? []) as (string | null)[];
    return { requestId, campaignId: Number(camp ?? 0), lineId: line ? Number(line) : null, number: num || null, cellId: cell || null };
  });
}

/** Sets of slots that hold one of the numbers. */
function holdersOf({ lineId, numbers, sharedNumber }: SlotLine, wanted: readonly string[]): { key: string; number: string }[] {
  const pooled = numbers.filter(({ number }) => wanted.includes(number));
  const own = pooled.map(({ number }) => ({ key: usageKey({ kind: 'number', lineId, number }), number }));
  const isShared = numbers.length === 0 && sharedNumber !== null && wanted.includes(sharedNumber);
  return isShared ? [...own, { key: usageKey({ kind: 'line', lineId }), number: sharedNumber }] : own;
}

function usageKey(key: UsageKey): string {
  switch (key.kind) {
    case 'campaign':
      return `${SLOT_PREFIX}camp:${key.campaignId}`;
    case 'line':
      return `${SLOT_PREFIX}line:${key.lineId}`;
    case 'number':
      return `${SLOT_PREFIX}num:${key.lineId}:${key.number}`;
    case 'cell':
      return `${SLOT_PREFIX}cell:${key.cellId}`;
    default:
      return unreachable(key);
  }
}
