import { z } from 'zod';
import { GUIDANCE_KINDS } from '#actors/call/guidance.ts';
import { auditCaptionsRead } from '#calls/audit-watch.ts';
import { hangUpCall } from '#calls/hang-up.ts';
import { viewModeOf } from '#calls/live-call-scope.ts';
import { callKeyOf, interventionView, liveCallView, presentIntervention, presentLiveCall } from '#calls/live-call.ts';
import { cancelIntervention, claimIntervention, type InterventionAnswer } from '#interventions/claim.ts';
import { CALL_CONTROLS, controlCall } from '#interventions/control-call.ts';
import { handBackCall } from '#interventions/hand-back.ts';
import { guideCall } from '#interventions/guide-call.ts';
import { LISTEN_MODES, listenToCall } from '#interventions/listen.ts';
import { assert } from '#kernel/assert.ts';
import { instant, rowId } from '#kernel/fields.ts';
import { issue } from '#kernel/problem.ts';
import { handler, type RouteHandler } from '#platform/http/handler.ts';
import { idText4, route } from '#platform/http/route.ts';
import { guidanceId, MAX_AGREED_LENGTH, MAX_GUIDANCE_LENGTH, MAX_NODE_LENGTH } from '#protocol/guidance.ts';
import { interventionTiming, monitorCapacity } from '#protocol/interventions.ts';
import { callKeyParam } from '#protocol/progress.ts';
import { releaseCall } from './allocation.ts';
import { listMyCalls } from './board.ts';
import { heartbeat, leaveMonitoring } from './presence.ts';
import type { App } from '#app/app.ts';

const MAX_TAB_ID_LENGTH = 64;

/** Source: OCS 4.12, D9.2 */
export const listLiveCallsRoute = route('GET /api/live-calls', 'agent:operate', '我负责的实时通话：已分配的、只读保留的和本人话机在内的', {
  query: z.object({ campaignId: idText4.optional() }),
  data: z.object({ calls: z.array(liveCallView), capacity: monitorCapacity, serverTime: instant }),
});

/** Source: OCS 4.12, D9.4 */
export const heartbeatRoute = route('POST /api/live-monitor/heartbeat', 'agent:operate', '监听在线心跳', {
  body: z.object({ campaignId: rowId.nullish(), tabId: z.string().trim().min(1).max(MAX_TAB_ID_LENGTH).optional() }),
  /** `assigned`: keys of the caller's calls; `waiting`: calls without a monitor. */
  data: z.object({ expiresAt: instant, capacity: monitorCapacity, assigned: z.array(z.string()), waiting: z.int().nonnegative() }),
});

export const leaveMonitoringRoute = route('DELETE /api/live-monitor/presence', 'agent:operate', '退出监听', {
  data: z.object({ released: z.array(z.string()) }),
});

const interventionAnswer = z.object({ callKey: z.string(), intervention: interventionView });

export const claimInterventionRoute = route('POST /api/live-calls/:callKey/intervene', 'agent:operate', '申请人工介入', {
  params: callKeyParam,
  body: z.object({
    when: interventionTiming.optional(),
    agentId: rowId.optional().meta({ description: '接听的坐席，缺省为本人的坐席；只有主管或管理员可以指定他人' }),
  }),
  data: interventionAnswer,
});

export const cancelInterventionRoute = route('POST /api/live-calls/:callKey/intervention/cancel', 'agent:operate', '取消人工介入申请', {
  params: callKeyParam,
  data: interventionAnswer,
});

export const releaseLiveCallRoute = route('POST /api/live-calls/:callKey/release', 'agent:operate', '让出通话的监听', {
  params: callKeyParam,
  data: z.object({ callKey: z.string() }),
});

const guidanceBody = z.object({
  text: z.string().trim().min(1).max(MAX_GUIDANCE_LENGTH),
  guidanceId: guidanceId.optional().meta({ description: '由客户端选定；同一编号重复请求时只执行一次' }),
});

const guidanceAnswer = z.object({
  callKey: z.string(),
  guidance: z.object({
    guidanceId: z.string(),
    kind: z.enum(GUIDANCE_KINDS),
    text: z.string(),
    userId: rowId.nullable(),
    by: z.string(),
    at: instant,
  }),
});

/** Source: D9.8 */
export const hintLiveCallRoute = route('POST /api/live-calls/:callKey/hint', 'agent:operate', '给机器人提示', {
  params: callKeyParam,
  body: guidanceBody,
  data: guidanceAnswer,
});

/** Source: D9.8 */
export const sayInLiveCallRoute = route('POST /api/live-calls/:callKey/say', 'agent:operate', '请机器人说一句话', {
  params: callKeyParam,
  body: guidanceBody,
  data: guidanceAnswer,
});

/** Source: D9.10 */
export const listenToLiveCallRoute = route('POST /api/live-calls/:callKey/listen', 'agent:operate', '用自己的话机旁听只有机器人的通话', {
  params: callKeyParam,
  body: z.object({ mode: z.enum(LISTEN_MODES).meta({ description: 'listen：只听；barge：客户也听得到；off：结束' }) }),
  data: z.object({ callKey: z.string(), mode: z.enum(LISTEN_MODES), agentId: rowId }),
});

/** Source: D9.11 */
export const controlLiveCallRoute = route('POST /api/live-calls/:callKey/control', 'agent:operate', '保持、静音或按键', {
  params: callKeyParam,
  body: z
    .object({
      action: z.enum(CALL_CONTROLS),
      digits: z
        .string()
        .regex(/^[0-9*#]{1,32}$/, issue('wrongForm'))
        .optional()
        .meta({ description: 'action 为 dtmf 时必填：数字、* 和 #' }),
    })
    .superRefine(({ action, digits }, context) => {
      if (action === 'dtmf' && digits === undefined) context.addIssue({ code: 'custom', path: ['digits'], message: issue('empty') });
    }),
  data: z.object({ callKey: z.string(), action: z.enum(CALL_CONTROLS) }),
});

/** Source: D9.9 */
export const handBackLiveCallRoute = route('POST /api/live-calls/:callKey/hand-back', 'agent:operate', '把客户交还给机器人', {
  params: callKeyParam,
  body: z.object({
    text: z.string().trim().max(MAX_AGREED_LENGTH).optional().default('').meta({ description: '与客户谈妥的内容' }),
    nodeId: z.string().trim().min(1).max(MAX_NODE_LENGTH).optional().meta({ description: '从话术的哪个节点继续' }),
    guidanceId: guidanceBody.shape.guidanceId,
  }),
  data: guidanceAnswer,
});

/** Source: OCS 4.12, D9.6 */
export const hangUpLiveCallRoute = route('POST /api/live-calls/:callKey/hangup', 'campaign:dispatch', '主管挂断通话', {
  params: callKeyParam,
  data: z.object({ callKey: z.string(), hangupCause: z.string() }),
});

/** OCS 4.12 except the stream and the runtime's reports, which stand with `calls/`. */
export function liveCallHandlers(app: App): RouteHandler[] {
  return [
    handler(listLiveCallsRoute, async ({ query, caller }) => {
      const { calls, scope, capacity, at } = await listMyCalls(app, caller, query.campaignId ?? null);
      await auditCaptionsRead(app, caller, scope);
      // A caller who sees every call may also monitor some of them.
      const own = { ...scope, viewerId: caller.userId };
      return { calls: calls.map(call => presentLiveCall(call, viewModeOf(own, call))), capacity, serverTime: at };
    }),
    handler(heartbeatRoute, async ({ body, caller }) => {
      const { expiresAt, capacity, assigned } = await heartbeat(app, caller, { ...body, campaignId: body.campaignId ?? null });
      return { expiresAt, capacity, assigned: assigned.map(callKeyOf), waiting: capacity.waiting };
    }),
    handler(leaveMonitoringRoute, async ({ caller }) => {
      const { released } = await leaveMonitoring(app, caller);
      return { released: released.map(callKeyOf) };
    }),
    handler(claimInterventionRoute, async ({ params, body, caller }) =>
      presentAnswer(await claimIntervention(app, caller, params.callKey, body)),
    ),
    handler(cancelInterventionRoute, async ({ params, caller }) => presentAnswer(await cancelIntervention(app, caller, params.callKey))),
    handler(releaseLiveCallRoute, async ({ params, caller }) => {
      const { requestId } = await releaseCall(app, caller, params.callKey);
      return { callKey: callKeyOf(requestId) };
    }),
    handler(hintLiveCallRoute, async ({ params, body, caller }) =>
      withCallKey(await guideCall(app, caller, params.callKey, { ...body, kind: 'hint' })),
    ),
    handler(sayInLiveCallRoute, async ({ params, body, caller }) =>
      withCallKey(await guideCall(app, caller, params.callKey, { ...body, kind: 'say' })),
    ),
    handler(handBackLiveCallRoute, async ({ params, body, caller }) => withCallKey(await handBackCall(app, caller, params.callKey, body))),
    handler(listenToLiveCallRoute, async ({ params, body, caller }) => withCallKey(await listenToCall(app, caller, params.callKey, body))),
    handler(controlLiveCallRoute, async ({ params, body, caller }) => withCallKey(await controlCall(app, caller, params.callKey, body))),
    handler(hangUpLiveCallRoute, async ({ params, caller }) => {
      const { requestId, hangupCause } = await hangUpCall(app, caller, params.callKey);
      return { callKey: callKeyOf(requestId), hangupCause };
    }),
  ];
}

function withCallKey<Answer extends { requestId: string }>({ requestId, ...answer }: Answer) {
  return { callKey: callKeyOf(requestId), ...answer };
}

function presentAnswer({ requestId, intervention }: InterventionAnswer) {
  const shown = presentIntervention(intervention);
  assert(shown !== null, 'an intervention is shown as one');
  return { callKey: callKeyOf(requestId), intervention: shown };
}
