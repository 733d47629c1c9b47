import type { Clock } from '#kernel/clock.ts';
import { callStage } from '#actors/call/context.ts';
import type { LiveDelta, LiveDeltas } from '#ports/live-deltas.ts';
import { type CallState, parseMeta } from './call-actor.ts';

/** Tells watchers the stage of a call after a commit; a lost delta shows as a gap in `version`. Source: A1.5, D10 */
export function publishCall(
  deps: { deltas: LiveDeltas; clock: Clock },
  requestId: string,
  committed: { state: CallState; version: number; meta: string | null },
): void {
  const meta = parseMeta(committed.meta);
  if (!meta) return;
  const { context, value } = committed.state;
  const status = callStage(value, context);
  deps.deltas.publish({
    requestId,
    campaignId: meta.campaignId,
    kind: kindOf(status, committed.version),
    version: committed.version,
    at: deps.clock.now(),
    data: { status, answeredAt: context.answeredAt, endedAt: context.endedAt, hangupCause: context.hangupCause },
  });
}

function kindOf(status: string, version: number): LiveDelta['kind'] {
  if (version === 1) return 'call-started';
  return status === 'ended' ? 'call-ended' : 'call-changed';
}
