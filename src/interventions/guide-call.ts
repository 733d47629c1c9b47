import type { Guidance } from '#actors/call/guidance.ts';
import { audit, type AuditPart } from '#audit/audit.ts';
import { type CallMeta, parseMeta, type CallsPart } from '#calls/call-actor.ts';
import { getCall, requestIdOf, sendToCall } from '#calls/find-call.ts';
import { callChange, type CallChange } from '#calls/publish-call.ts';
import type { ConferencesPart } from '#conferences/conference-actor.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { type Caller, personName } from '#kernel/caller.ts';
import { conflict } from '#kernel/errors.ts';
import { notMonitor } from '#monitoring/allocation.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';
import type { Platform } from '#platform/platform.ts';
import type { OptionalCommand } from '#protocol/guidance.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimePart } from '#runtimes/runtime-link.ts';
import type { RuntimePoolPart } from '#runtimes/runtime-pool.ts';
import { isOver } from './claim.ts';

type WatchedCall = Pick<CallChange, 'status' | 'monitor' | 'retainedBy' | 'intervention' | 'runtimeId'>;

/** The facts that decide whether the bot of a call can take a hint or a sentence. */
interface BotAtHand {
  call: WatchedCall;
  caller: Caller;
  conference: Pick<ConferenceSession, 'status'> | null;
  /** Optional commands that the call's runtime carries out. */
  commands: readonly string[];
}

const COMMAND_NAMES = { hint: '提示', say: '插话', hand_back: '交还' } as const satisfies Record<OptionalCommand, string>;

/** Errors: FORBIDDEN for a user who neither watches the call nor may dispatch */
export function requireViewer(call: Pick<WatchedCall, 'monitor' | 'retainedBy'>, { userId, permissions }: Caller): void {
  const isViewer = userId !== null && (call.monitor?.userId === userId || call.retainedBy.includes(userId));
  if (!isViewer && !permissions.has('campaign:dispatch')) throw notMonitor(call, '只有该通话的监听人、主管或管理员可以这样做');
}

/** Errors: FORBIDDEN; CONFLICT when no bot talks to the customer, or its runtime does not take the command. Source: D9.8 */
export function requireGuidable({ call, caller, conference, commands }: BotAtHand, command: OptionalCommand): void {
  requireViewer(call, caller);
  if (call.status !== 'live') throw conflict(isOver(call) ? 'CALL_ENDED' : 'NOT_ANSWERED', '通话未接通或已结束，机器人没有在说话');
  if (conference?.status === 'live' || call.intervention?.status === 'active')
    throw conflict('ALREADY_ANSWERED', '客户正在与坐席通话，机器人没有在说话');
  requireCommand({ commands }, command);
}

/** Errors: CONFLICT when the call's runtime does not take the command. Source: `commands` of `callout.v1.runtime-pool.hello` */
export function requireCommand({ commands }: Pick<BotAtHand, 'commands'>, command: OptionalCommand): void {
  if (!commands.includes(command)) throw conflict('RUNTIME_LACKS_COMMAND', `该通话的话术引擎不支持${COMMAND_NAMES[command]}`);
}

/** Optional commands of the runtime that has a call; an unregistered runtime has named none. Errors: CACHE_UNAVAILABLE */
export async function commandsOf({ pool }: RuntimePoolPart, { runtimeId }: Pick<WatchedCall, 'runtimeId'>): Promise<readonly string[]> {
  if (runtimeId === null) return [];
  return (await pool.list()).find(member => member.runtimeId === runtimeId)?.commands ?? [];
}

export type GuideApp = CallsPart &
  OutcomesPart &
  RuntimePart &
  RuntimePoolPart &
  RuntimeEventsPart &
  Pick<ConferencesPart, 'conferences'> &
  AuditPart &
  Pick<Platform, 'db' | 'clock' | 'ids'>;

interface GuidanceRequest {
  text: string;
  /** Chosen by the client: a repeated request is carried out once. */
  guidanceId?: string | undefined;
}

/**
 * Tells the bot of a live call something: a hint that guides its next words, or words that it speaks now. Every watcher sees it with its author.
 *
 * Why:    the runtime is told first and ignores an id that it knows, so that a repeated request is safe, and what watchers see was acknowledged
 * Errors: NOT_FOUND; GONE; FORBIDDEN; CONFLICT when no bot talks or its runtime refuses; BUS_UNAVAILABLE when it does not answer within 3 s
 * Source: A4 `callout.v1.command.<requestId>.hint`, `.say`, D9.8
 */
export async function guideCall(
  app: GuideApp,
  caller: Caller,
  callKey: string,
  { kind, text, guidanceId = app.ids() }: GuidanceRequest & { kind: 'hint' | 'say' },
): Promise<{ requestId: string; guidance: Guidance }> {
  const requestId = await requestIdOf(app, callKey);
  const { state, meta } = await getCall(app, requestId);
  const call = callChange(state);
  requireViewer(call, caller);
  const known = call.guidance.find(one => one.guidanceId === guidanceId);
  if (known) return { requestId, guidance: known };
  const [conference, commands] = await Promise.all([app.conferences.findByCustomer(requestId), commandsOf(app, call)]);
  requireGuidable({ call, caller, conference, commands }, kind);
  const guidance = { guidanceId, kind, text, userId: caller.userId, by: personName(caller), at: app.clock.now() };
  await order(app, requestId, guidance);
  const outcome = await sendToCall(app, requestId, { event: { type: 'guided', guidance }, commandId: `guide:${guidanceId}` });
  if (outcome.kind === 'applied') await recordGuidance(app, caller, { requestId, call: parseMeta(meta), guidance });
  return { requestId, guidance };
}

async function order(
  { runtime }: RuntimePart,
  requestId: string,
  { guidanceId, kind, text, by }: Guidance & { kind: 'hint' | 'say' },
): Promise<void> {
  const answer = await runtime.order(requestId, kind, { guidanceId, text, by });
  if (answer.ok) return;
  if (answer.code === 'UNKNOWN_COMMAND') throw conflict('RUNTIME_LACKS_COMMAND', `该通话的话术引擎不支持${COMMAND_NAMES[kind]}`);
  throw conflict('RUNTIME_BUSY', '机器人此刻没有与客户说话，未接受');
}

const RECORDS = {
  hint: { action: 'call.hinted', summary: '给机器人提示', type: 'call.hinted', title: '给机器人提示' },
  say: { action: 'call.text_spoken', summary: '请机器人说一句话', type: 'call.text_spoken', title: '请机器人说一句话' },
  hand_back: { action: 'call.handed_back', summary: '把客户交还给机器人', type: 'call.handed_back', title: '把客户交还给机器人' },
  listen: { action: 'call.listened', summary: '旁听通话', type: 'call.listened', title: '旁听通话' },
  barge: { action: 'call.barged', summary: '强插通话', type: 'call.barged', title: '强插通话' },
  listen_ended: { action: 'call.listened', summary: '结束旁听', type: 'call.listened', title: '结束旁听' },
  hold: { action: 'call.controlled', summary: '保持客户', type: 'call.controlled', title: '保持客户' },
  resume: { action: 'call.controlled', summary: '恢复与客户通话', type: 'call.controlled', title: '恢复与客户通话' },
  mute: { action: 'call.controlled', summary: '坐席静音', type: 'call.controlled', title: '坐席静音' },
  unmute: { action: 'call.controlled', summary: '坐席取消静音', type: 'call.controlled', title: '坐席取消静音' },
  keypad: { action: 'call.controlled', summary: '向客户线路发送按键', type: 'call.controlled', title: '向客户线路发送按键' },
} as const;

interface Guided {
  requestId: string;
  call: CallMeta | null;
  guidance: Guidance;
}

/** Writes the audit row, and the event that the timeline of the attempt keeps. */
export async function recordGuidance(app: GuideApp, caller: Caller, { requestId, call, guidance }: Guided): Promise<void> {
  const { guidanceId, kind, text, userId, by } = guidance;
  const { action, summary, type, title } = RECORDS[kind];
  const detail = { requestId, guidanceId, kind, userId, by, text };
  await audit(app, caller, { action, targetType: 'call', targetId: requestId, summary, detail: { guidanceId, text } });
  await app.events.record({
    level: 'info',
    type,
    title,
    message: text === '' ? by : `${by}：${text}`,
    campaignId: call?.campaignId ?? null,
    attemptId: call?.attemptId ?? null,
    cellId: call?.cellId ?? null,
    detail,
    dedupeKey: `guidance:${requestId}:${guidanceId}`,
  });
}
