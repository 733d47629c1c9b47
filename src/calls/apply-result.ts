import { isStale, seenTimes } from '#actors/call/context.ts';
import type { Ownership } from '#actors/call/events.ts';
import { isUuid } from '#kernel/ids.ts';
import { isCalloutError, notFound, staleEpoch } from '#kernel/errors.ts';
import type { ResultOutcome, ResultReport, SeenCall, OutcomesPart } from '#outcomes/outcome-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { adoptCall } from './find-call.ts';
import { FIELD_CONFLICT } from '#outcomes/decisions/reported-fields.ts';
import { keepCaptions } from './keep-captions.ts';
import type { CallsPart } from './call-actor.ts';
import type { LiveCallReadPart } from './live-call-store.ts';

export interface ResultAnswer {
  attemptId: number;
  requestId: string;
  status: string;
  duplicate: boolean;
}

type Applied = Extract<ResultOutcome, { kind: 'applied' }>;

type Reported = ResultReport & Ownership;

type ResultApp = CallsPart & OutcomesPart & LiveCallReadPart & RuntimeEventsPart & Pick<Platform, 'clock' | 'log'>;

/**
 * Applies the result that the runtime reports at the end of a call. The response is final once PostgreSQL has committed; the rest follows
 * through the outbox.
 *
 * Errors: NOT_FOUND for an unknown call; STALE_EPOCH when another runtime owns the call; DATABASE_UNAVAILABLE; CACHE_UNAVAILABLE with an epoch
 * Source: OCS 4.11, D7.7, A6 step 9
 */
export async function applyResult(app: ResultApp, report: Reported): Promise<ResultAnswer> {
  // Text that is not a UUID is the id of no call.
  const requestId = report.requestId !== null && isUuid(report.requestId) ? report.requestId : null;
  if (requestId === null && report.attemptId === null) throw notFound('通话');
  const { epoch = null, runtimeId = null, ...facts } = report;
  const live = requestId === null ? null : await findLive(app, requestId, { epoch, runtimeId });
  const outcome = await app.dials.applyResult({ ...facts, requestId, ...(live && { seen: live.seen }) });
  if (outcome.kind === 'not_found') throw notFound('通话');
  const isSilent = report.transcript.length === 0;
  await followUp(app, outcome, { runtimeId: runtimeId ?? live?.owner ?? null, isSilent }).catch((error: unknown) =>
    app.log.warn({ err: error, requestId: outcome.requestId }, 'the outbox finishes a written result'),
  );
  const { attemptId, status, duplicate } = outcome;
  return { attemptId, requestId: outcome.requestId, status, duplicate };
}

/**
 * Reads the live call; null when there is none. A call whose live state was removed ended long ago, and accepts a late result from any runtime.
 *
 * Why: a report without an epoch is accepted even while the cache is unavailable
 */
async function findLive(app: ResultApp, requestId: string, ownership: Ownership): Promise<{ seen: SeenCall; owner: string | null } | null> {
  const hasEpoch = (ownership.epoch ?? null) !== null;
  const found = await app.calls.find(requestId).catch((error: unknown) => {
    if (!hasEpoch && isCalloutError(error, 'CACHE_UNAVAILABLE')) return null;
    throw error;
  });
  // Only an adopted call can tell that an epoch was never handed out.
  const isAdopted = found === null && hasEpoch && (await adoptCall(app, requestId));
  const call = isAdopted ? await app.calls.find(requestId) : found;
  if (call === null) return null;
  const { context } = call.state;
  if (isStale(context, ownership)) throw staleEpoch();
  return { seen: seenTimes(context), owner: context.owner ?? null };
}

/** `isSilent`: the report contained no transcript. */
async function followUp(
  app: ResultApp,
  outcome: Applied,
  { runtimeId, isSilent }: { runtimeId: string | null; isSilent: boolean },
): Promise<void> {
  if (outcome.conflicts.length > 0) await recordConflict(app, outcome);
  if (outcome.clockSkewMs !== undefined) await recordSkew(app, outcome, { runtimeId, skewMs: outcome.clockSkewMs });
  if (outcome.outboxId === null) return;
  if (isSilent) await keepCaptions(app, outcome.requestId);
  await reportResult(app, { id: outcome.outboxId, requestId: outcome.requestId });
  // Not awaited: a row that stays is processed again, without effect.
  app.dials.clearOutbox([outcome.outboxId]).catch((error: unknown) => app.log.debug({ err: error }, 'a result stays in the outbox'));
}

/** Notifies the call's actor of its result and keeps captions for which no transcript was written; the outbox pump repeats it until done. */
export async function finishResult(
  app: Pick<ResultApp, 'dials' | 'calls' | 'clock' | 'liveCalls'>,
  row: { id: number; requestId: string },
): Promise<void> {
  await keepCaptions(app, row.requestId);
  await reportResult(app, row);
  await app.dials.clearOutbox([row.id]);
}

async function reportResult(
  { calls, clock }: Pick<ResultApp, 'calls' | 'clock'>,
  { id, requestId }: { id: number; requestId: string },
): Promise<void> {
  await calls.send(requestId, { type: 'resultReported', at: clock.now() }, `result:${id}`);
}

async function recordConflict(app: RuntimeEventsPart, { attemptId, campaignId, requestId, conflicts, isFirst }: Applied): Promise<void> {
  await app.events.record({
    level: 'warning',
    type: 'call.result_conflict',
    title: '通话结果冲突',
    message: `${conflictReason(conflicts, isFirst)}：${conflicts.join('、')}`,
    campaignId,
    attemptId,
    detail: { conflicts },
    dedupeKey: `result_conflict:${requestId}:${conflicts.join(',')}`,
  });
}

function conflictReason(conflicts: readonly string[], isFirst = false): string {
  if (!isFirst) return '后到的结果与已保存的结果不一致，已保留先到的值';
  return conflicts.every(name => name.startsWith(FIELD_CONFLICT))
    ? '结果字段的值不是话术所声明的类型，未采用'
    : '结果与交换机所见不符（客户已接听），未采用';
}

/** Once per runtime: its clock stays wrong until an operator corrects it. */
async function recordSkew(
  app: RuntimeEventsPart,
  { attemptId, campaignId }: Applied,
  { runtimeId, skewMs }: { runtimeId: string | null; skewMs: number },
): Promise<void> {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  await app.events.record({
    level: 'warning',
    type: 'runtime.clock_skew',
    title: '话术引擎的时钟不准',
    message: `${runtimeId ?? '未登记的话术引擎'} 的时钟${skewMs > 0 ? '快' : '慢'}了约 ${seconds} 秒；通话时间与重拨以交换机与服务器为准`,
    campaignId,
    attemptId,
    detail: { runtimeId, skewMs },
    dedupeKey: `clock_skew:${runtimeId ?? ''}`,
  });
}
