/** Source: D5.1 */
export const CAMPAIGN_STATUSES = ['draft', 'running', 'paused', 'completed', 'archived'] as const;

/** Current activity of a running campaign, or what it is waiting for. Source: D5.1 */
export const CAMPAIGN_PHASES = [
  'IDLE',
  'DISPATCHING',
  'WAITING_WINDOW',
  'WAITING_INTERVAL',
  'WAITING_RETRY',
  'WAITING_SLOT',
  'WAITING_MONITOR',
  'WAITING_RUNTIME',
  'BLOCKED_BY_POLICY',
  'DRAINING',
  'SWITCH_UNREACHABLE',
] as const;

export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export type CampaignPhase = (typeof CAMPAIGN_PHASES)[number];

export const MAX_MONITORING_PRIORITY = 100;

export const CAMPAIGN_DEFAULTS = {
  maxConcurrency: 1,
  maxRetries: 0,
  retryIntervalSeconds: 300,
  callIntervalMs: 0,
  monitoringPriority: 0,
} as const;

/** Every dial that is decided later than this after an edit or a pause obeys it, ms. Source: D8.6 */
export const EDIT_BINDS_WITHIN_MS = 1_000;

/** Number of consecutive calls without a script that stops a campaign. Source: D5.6 */
const SCRIPTLESS_LIMIT = 3;
/** Minimum delay before the contact of such a call is dialled again, whatever its campaign says, ms. */
export const SCRIPTLESS_HOLD_MS = 60_000;
/** Hang-up cause recorded for the attempt. */
export const NO_SCRIPT_CAUSE = 'NO_SCRIPT';

export interface ScriptVersion {
  scriptId: number;
  version: number;
}

/** Consecutive calls that a runtime ended for lack of a script, since the last start of the campaign. */
export interface ScriptlessCalls {
  calls: number;
  /** `scriptKey` of the script that the calls needed. */
  script: string;
  /** UTC ms of the first report. */
  since: number;
}

/** Whether there is a call flow: an enabled script, or one that the runtime brings. Source: D5.6 */
export function hasFlow({ script, runtimeBringsFlow }: { script: ScriptVersion | null; runtimeBringsFlow: boolean }): boolean {
  return script !== null || runtimeBringsFlow;
}

/** Reason for not starting a campaign and not dialling without a script. */
export const NO_SCRIPT_TEXT =
  '该业务没有启用的话术，不能外呼；请先启用该业务的话术（话术引擎自带流程的，须在配置中为该业务设置 runtimeBringsFlow）';

/** Identifies a script version; empty when there is no script. */
export function scriptKey(script: ScriptVersion | null): string {
  return script === null ? '' : `${script.scriptId}:${script.version}`;
}

/** Counts one more such call; another script restarts the count. */
export function afterScriptless(known: ScriptlessCalls | null, script: string, at: number): ScriptlessCalls {
  return known?.script === script ? { ...known, calls: known.calls + 1 } : { calls: 1, script, since: at };
}

/** Reason, in Chinese, for not dialling until the script changes or the campaign is restarted; null when dialling is allowed. */
export function scriptlessReason(known: ScriptlessCalls | null, script: ScriptVersion | null): string | null {
  if (known === null || known.calls < SCRIPTLESS_LIMIT || known.script !== scriptKey(script)) return null;
  const what = script === null ? '该业务没有启用的话术' : `话术引擎没有话术 ${script.scriptId} 的版本 ${script.version}`;
  return `连续 ${SCRIPTLESS_LIMIT} 个通话接通后因无话术被挂断，已停止外呼：${what}；启用话术或重新启动活动后继续`;
}
