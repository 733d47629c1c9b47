/** Why a runtime ended a call before anything was said. Source: D5.6 */
export const END_REASONS = ['no_script'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** So many in a row and the campaign stops. Source: D5.6 */
export const SCRIPTLESS_LIMIT = 3;
/** The contact of such a call is not called again at once, whatever its campaign says, ms. */
export const SCRIPTLESS_HOLD_MS = 60_000;
/** Shown as the attempt's hang-up cause. */
export const NO_SCRIPT_CAUSE = 'NO_SCRIPT';

export interface ScriptVersion {
  scriptId: number;
  version: number;
}

/** Calls in a row that a runtime has ended for want of a script, since the last start of their campaign. */
export interface ScriptlessCalls {
  calls: number;
  /** The script that they should have had, as `scriptKey` names it. */
  script: string;
  /** UTC ms of the first one's report. */
  since: number;
}

/** Whether calls are led by anything at all. Source: D5.6 */
export function hasFlow({ script, runtimeBringsFlow }: { script: ScriptVersion | null; runtimeBringsFlow: boolean }): boolean {
  return script !== null || runtimeBringsFlow;
}

/** Why nothing starts and nobody is dialled without a script. */
export const NO_SCRIPT_TEXT =
  '该业务没有启用的话术，不能外呼；请先启用该业务的话术（话术运行时自带流程的，须在配置中为该业务设置 runtimeBringsFlow）';

/** Names a version of a script; empty: there is none. */
export function scriptKey(script: ScriptVersion | null): string {
  return script === null ? '' : `${script.scriptId}:${script.version}`;
}

/** The calls after one more of them: another script begins a count of its own. */
export function afterScriptless(known: ScriptlessCalls | null, script: string, at: number): ScriptlessCalls {
  return known?.script === script ? { ...known, calls: known.calls + 1 } : { calls: 1, script, since: at };
}

/** How that reason begins. */
export const SCRIPTLESS_TEXT = `连续 ${SCRIPTLESS_LIMIT} 个通话接通后因无话术被挂断`;

/** Why nothing is dialled until another script is there or somebody starts the campaign again; Chinese, null when it may dial. */
export function scriptlessReason(known: ScriptlessCalls | null, script: ScriptVersion | null): string | null {
  if (known === null || known.calls < SCRIPTLESS_LIMIT || known.script !== scriptKey(script)) return null;
  const what = script === null ? '该业务没有启用的话术' : `话术运行时没有话术 ${script.scriptId} 的版本 ${script.version}`;
  return `${SCRIPTLESS_TEXT}，已停止外呼：${what}；启用话术或重新启动活动后继续`;
}
