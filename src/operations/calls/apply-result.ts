import { isStale } from '#actors/call/context.ts';
import { isUuid } from '#kernel/ids.ts';
import { notFound, staleEpoch } from '#kernel/errors.ts';
import type { DialStore, ResultOutcome, ResultReport } from '#ports/dial-store.ts';
import type { Ports } from '#ports/ports.ts';
import type { CallHost } from './call-actor.ts';

export interface ApplyResultDeps extends Pick<Ports, 'events' | 'log'> {
  dials: Pick<DialStore, 'applyResult' | 'clearOutbox'>;
  calls: CallHost;
}

export interface ResultAnswer {
  attemptId: number;
  requestId: string;
  status: string;
  duplicate: boolean;
}

type Applied = Extract<ResultOutcome, { kind: 'applied' }>;

/**
 * Writes what the runtime reports at the end of a call. The answer stands once PostgreSQL has it; the rest follows through the outbox.
 *
 * Errors: NOT_FOUND for an unknown call; STALE_EPOCH when the call is another runtime's; DATABASE_UNAVAILABLE; CACHE_UNAVAILABLE with an epoch
 * Source: OCS 4.11, D7.7, A6 step 9
 */
export async function applyResult(deps: ApplyResultDeps, report: ResultReport & { epoch?: number | null }): Promise<ResultAnswer> {
  // Text that is no UUID is the id of no call.
  const requestId = report.requestId !== null && isUuid(report.requestId) ? report.requestId : null;
  if (requestId === null && report.attemptId === null) throw notFound('通话');
  const { epoch = null, ...facts } = report;
  if (epoch !== null && requestId !== null) await requireNewest(deps, requestId, epoch);
  const outcome = await deps.dials.applyResult({ ...facts, requestId });
  if (outcome.kind === 'not_found') throw notFound('通话');
  await followUp(deps, outcome).catch((error: unknown) =>
    deps.log.warn({ err: error, requestId: outcome.requestId }, 'the outbox finishes a written result'),
  );
  const { attemptId, status, duplicate } = outcome;
  return { attemptId, requestId: outcome.requestId, status, duplicate };
}

/** A call that is forgotten has been over for long, and takes a late result from whoever has it. */
async function requireNewest({ calls }: ApplyResultDeps, requestId: string, epoch: number): Promise<void> {
  const call = await calls.find(requestId);
  if (call && isStale(call.state.context, { epoch })) throw staleEpoch();
}

async function followUp(deps: ApplyResultDeps, outcome: Applied): Promise<void> {
  if (outcome.conflicts.length > 0) await recordConflict(deps, outcome);
  if (outcome.outboxId === null) return;
  await reportResult(deps, { id: outcome.outboxId, requestId: outcome.requestId });
  // Nobody waits for it: a row that stays is taken again, and changes nothing.
  deps.dials.clearOutbox([outcome.outboxId]).catch((error: unknown) => deps.log.debug({ err: error }, 'a result stays in the outbox'));
}

/** Tells the call's actor that its result stands; repeated by the outbox pump until done. */
export async function finishResult(deps: Pick<ApplyResultDeps, 'dials' | 'calls'>, row: { id: number; requestId: string }): Promise<void> {
  await reportResult(deps, row);
  await deps.dials.clearOutbox([row.id]);
}

async function reportResult(
  { calls }: Pick<ApplyResultDeps, 'calls'>,
  { id, requestId }: { id: number; requestId: string },
): Promise<void> {
  await calls.send(requestId, { type: 'resultReported' }, `result:${id}`);
}

async function recordConflict(deps: ApplyResultDeps, { attemptId, campaignId, requestId, conflicts }: Applied): Promise<void> {
  await deps.events.record({
    level: 'warning',
    type: 'call.result_conflict',
    title: '通话结果冲突',
    message: `后到的结果与已保存的结果不一致，已保留先到的值：${conflicts.join('、')}`,
    campaignId,
    attemptId,
    detail: { conflicts },
    dedupeKey: `result_conflict:${requestId}:${conflicts.join(',')}`,
  });
}
