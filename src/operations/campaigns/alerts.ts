import type { BreakerOpening } from '#rules/breaker.ts';
import { blockedReason } from '#actors/campaign/obstacles.ts';
import type { ScriptlessCalls } from '#rules/scriptless-calls.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';

interface AlertDeps {
  events: Pick<RuntimeEventStore, 'record'>;
}

/**
 * Raises the alert of an opening, once however often it is reported.
 *
 * Source: D14.3 campaign.blocked
 */
export async function notifyBlocked({ events }: AlertDeps, campaignId: number, { openedAt, report }: BreakerOpening): Promise<void> {
  await events.record({
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
export async function notifyScriptless(
  { events }: AlertDeps,
  campaignId: number,
  { calls, script, since, reason }: ScriptlessCalls & { reason: string },
): Promise<void> {
  await events.record({
    level: 'error',
    type: 'campaign.blocked',
    title: '没有可用话术，已停止外呼',
    message: reason,
    campaignId,
    detail: { calls, script },
    dedupeKey: `scriptless:${campaignId}:${since}`,
  });
}
