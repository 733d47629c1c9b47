import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import { isUnheard, type PooledRuntime, type PoolMember } from './runtime-pool.ts';

type Events = Pick<RuntimeEventStore, 'record'>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Source: D14.3 runtime.up */
export async function recordRuntimeUp(events: Events, { runtimeId, name, version, maxCalls }: PoolMember, at: number): Promise<void> {
  await events.record({
    level: 'info',
    type: 'runtime.up',
    title: `话术引擎 ${name} 已就绪`,
    message: `编号 ${runtimeId}，版本 ${version}，最多 ${maxCalls} 路通话`,
    detail: { runtimeId, name, version, maxCalls },
    dedupeKey: `runtime.up:${runtimeId}:${at}`,
  });
}

/**
 * Records each loss of a runtime once, whichever instance notices it.
 *
 * Why:    a runtime that announced its end needs no action, whatever calls it left; nor does one without calls that ended while no server was
 *         listening, as in an orderly stop of everything. When no runtime is left, the campaigns that wait for one report it themselves
 * Source: D14.3 runtime.down
 */
export async function recordRuntimeDown(events: Events, runtime: PooledRuntime, { wasHeard }: { wasHeard: boolean }): Promise<void> {
  const { runtimeId, name, version, calls, seenAt } = runtime;
  const hasLeft = (runtime.isDraining && !isUnheard(runtime)) || (!wasHeard && calls === 0);
  const left = `${hasLeft ? '退出' : '失联'}时占用 ${calls} 路；其通话交给其他话术引擎，无人接手的通话向客户致歉后结束`;
  await events.record({
    level: hasLeft ? 'info' : 'error',
    type: 'runtime.down',
    title: `话术引擎 ${name} ${hasLeft ? '已退出' : '已失联'}`,
    message: hasLeft && calls === 0 ? `编号 ${runtimeId}` : `编号 ${runtimeId}，${left}`,
    detail: { runtimeId, name, version, calls },
    dedupeKey: `runtime.down:${runtimeId}:${seenAt}`,
  });
}

/** Source: D14.3 runtime.up */
export async function recordOpenEnded(events: Events): Promise<void> {
  await events.record({
    level: 'warning',
    type: 'runtime.up',
    title: '有未登记的话术引擎',
    message: '有程序订阅 callout.v1.command.*.start 而没有登记：其名额视为不限，失联时无法得知。请升级到会登记的版本',
    dedupeKey: 'runtime.open_ended',
  });
}

const WHY_ASIDE = {
  unanswered: { title: '不应答来电', message: '连续多次未应答 start，不再向其分配通话；应答服务器的探测后自动恢复' },
  silent: {
    title: '接起后不出声',
    message: '连续多个通话接起后没有 started 与机器人字幕，或客户说完后不再有动静；十分钟内不再向其分配通话',
  },
} as const;

/** Source: D14.3 runtime.down, I9 */
export async function recordAside(
  events: Events,
  { runtimeId, name, kind, at }: { runtimeId: string; name: string; kind: keyof typeof WHY_ASIDE; at: number },
): Promise<void> {
  const { title, message } = WHY_ASIDE[kind];
  await events.record({
    level: 'error',
    type: 'runtime.down',
    title: `话术引擎 ${name} ${title}`,
    message: `编号 ${runtimeId}：${message}`,
    detail: { runtimeId, name, reason: kind },
    dedupeKey: `runtime.aside:${runtimeId}:${kind}:${Math.floor(at / MINUTE_MS)}`,
  });
}

/** Source: D14.3 runtime.down, I9 */
export async function recordSilent(
  events: Events,
  { requestId, runtimeId, kind }: { requestId: string; runtimeId: string | null; kind: 'mute' | 'silent' },
): Promise<void> {
  const who = runtimeId === null ? '未登记的话术引擎' : `话术引擎 ${runtimeId}`;
  await events.record({
    level: 'warning',
    type: 'runtime.down',
    title: kind === 'mute' ? '话术引擎接起后没有出声' : '话术引擎在通话中不再出声',
    message: `${who}：${kind === 'mute' ? '接下通话后没有 started，也没有机器人字幕' : '客户说完后没有字幕与上报'}；该通话已交给其他话术引擎，无人接手则致歉后结束`,
    detail: { requestId, runtimeId, reason: kind },
    dedupeKey: `runtime.${kind}:${requestId}:${runtimeId ?? ''}`,
  });
}

/** Source: D14.3 runtime.down, I9 */
export async function recordClosed(events: Events, businessCode: string, at: number): Promise<void> {
  await events.record({
    level: 'error',
    type: 'runtime.down',
    title: '话术引擎接连不接已接听的客户，已停止外呼',
    message: `业务 ${businessCode}：多位客户接听后没有话术引擎接起，只听到致歉；稍后以一个通话试呼，有话术引擎接起后自动继续`,
    detail: { businessCode, reason: 'unserved' },
    dedupeKey: `runtime.closed:${businessCode}:${Math.floor(at / MINUTE_MS)}`,
  });
}

/**
 * Records that a campaign waits for a runtime: once a minute per business when there is none, once an hour when all are full.
 *
 * Source: D14.3 runtime.down, runtime.full
 */
export async function recordNoRuntime(
  events: Events,
  wait: { campaignId: number; businessCode: string; reason: 'no_runtime' | 'runtime_full'; at: number },
): Promise<void> {
  const { campaignId, businessCode, reason, at } = wait;
  const isFull = reason === 'runtime_full';
  await events.record({
    level: isFull ? 'warning' : 'error',
    type: isFull ? 'runtime.full' : 'runtime.down',
    title: isFull ? '话术引擎名额已满' : '没有在线的话术引擎，已停止外呼',
    message: isFull
      ? `业务 ${businessCode} 的话术引擎都没有空闲名额，外呼等待名额释放；可启动更多话术引擎`
      : `没有话术引擎能接业务 ${businessCode} 的通话，客户接听后将无人应答，因此不再拨出；启动话术引擎后自动继续`,
    campaignId,
    detail: { businessCode, reason },
    dedupeKey: `${reason}:${businessCode}:${Math.floor(at / (isFull ? HOUR_MS : MINUTE_MS))}`,
  });
}
