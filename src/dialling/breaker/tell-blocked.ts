import type { FailureReport } from '#rules/breaker.ts';
import { remedyOf } from '#rules/hangup-cause.ts';
import type { ScriptlessCalls } from '#rules/scriptless-calls.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';

/** Causes that the texts name; the event's detail holds all. */
const NAMED_CAUSES = 3;

/** What the campaign's row shows while it pauses. Chinese. */
export function blockedReason({ dials, failures, causes }: FailureReport): string {
  const remedy = Object.keys(causes).map(remedyOf).find(Boolean) ?? null;
  const named = Object.entries(causes)
    .slice(0, NAMED_CAUSES)
    .map(([cause, times]) => `${cause} ${times} 次`);
  return `最近 ${dials} 次呼叫有 ${failures} 次因网络或交换机原因失败（${named.join('，')}），已暂停外呼，稍后自动试呼${remedy === null ? '' : `。${remedy}`}`;
}

/**
 * Raises the alert of an opening, once however often it is told.
 *
 * Source: D14.3 campaign.blocked
 */
export async function tellBlocked(
  deps: { events: RuntimeEventStore },
  blocked: { campaignId: number; openedAt: number; report: FailureReport },
): Promise<void> {
  const { campaignId, openedAt, report } = blocked;
  await deps.events.record({
    level: 'error',
    type: 'campaign.blocked',
    title: '活动呼叫大量失败，已暂停外呼',
    message: blockedReason(report),
    campaignId,
    detail: { dials: report.dials, failures: report.failures, causes: { ...report.causes } },
    dedupeKey: `breaker:${campaignId}:${openedAt}`,
  });
}

/**
 * Raises the alert of a campaign that stops for want of a script, once for each time that it does.
 *
 * Source: D5.6, D14.3 campaign.blocked
 */
export async function tellScriptless(
  deps: { events: RuntimeEventStore },
  blocked: { campaignId: number; calls: ScriptlessCalls; reason: string },
): Promise<void> {
  const { campaignId, calls, reason } = blocked;
  await deps.events.record({
    level: 'error',
    type: 'campaign.blocked',
    title: '没有可用话术，已停止外呼',
    message: reason,
    campaignId,
    detail: { calls: calls.calls, script: calls.script },
    dedupeKey: `scriptless:${campaignId}:${calls.since}`,
  });
}
