import { blockedReason } from '#actors/campaign/obstacles.ts';
import { NO_SCRIPT_TEXT, type ScriptlessCalls } from './decisions/scriptless-calls.ts';
import { type BreakerOpening, MAX_SILENT_DIALS } from './decisions/breaker.ts';
import { readDialTemplate } from '#platform/freeswitch/dial-template.ts';
import { SILENT_LINE_REMEDY } from '#protocol/call-status.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import type { CampaignClaims } from './campaign.ts';

interface AlertDeps {
  events: Pick<RuntimeEventStore, 'record'>;
}

interface LineAlertDeps extends AlertDeps {
  dials: Pick<CampaignClaims, 'loadPlan'>;
}

/**
 * Raises the alert that a campaign's breaker has opened, once per opening.
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
 * Raises the alert that a campaign stops for lack of a script, once per stop.
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

/**
 * Raises an alert for each line, with its gateway, whose far end never responds; once per finding.
 *
 * Source: D7.1, D14.3 line.silent
 */
export async function notifySilentLines(
  { events, dials }: LineAlertDeps,
  campaignId: number,
  { lineIds, at }: { lineIds: readonly number[]; at: number },
): Promise<void> {
  const plan = await dials.loadPlan(campaignId);
  for (const { id, name, dialStringTemplate } of plan?.lines.filter(line => lineIds.includes(line.id)) ?? []) {
    const template = readDialTemplate(dialStringTemplate);
    const gateway = template.kind === 'allowed' ? (template.gateway ?? template.host) : null;
    const named = gateway === null ? `线路「${name}」` : `线路「${name}」（网关 ${gateway}）`;
    const message = `${named}连续 ${MAX_SILENT_DIALS} 次呼叫没有收到对端的任何应答；这些呼叫不计入联系人的次数。${SILENT_LINE_REMEDY}`;
    await events.record({
      level: 'error',
      type: 'line.silent',
      title: `线路「${name}」没有任何应答`,
      message,
      campaignId,
      detail: { lineId: id, line: name, gateway, calls: MAX_SILENT_DIALS },
      dedupeKey: `silent_line:${campaignId}:${id}:${at}`,
    });
  }
}

/**
 * Raises the alert that the business of a running campaign has lost its script.
 *
 * Units:  `at` is the dispatch turn that found it, UTC ms
 * Source: D5.6, D14.3 campaign.blocked
 */
export async function notifyNoScript({ events }: AlertDeps, campaignId: number, { at }: { at: number }): Promise<void> {
  await events.record({
    level: 'error',
    type: 'campaign.blocked',
    title: '没有可用话术，已停止外呼',
    message: NO_SCRIPT_TEXT,
    campaignId,
    detail: {},
    dedupeKey: `no_script:${campaignId}:${at}`,
  });
}
