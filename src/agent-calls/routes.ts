import { z } from 'zod';
import { callback, newCallback, promiseOf } from '#callbacks/callback.ts';
import { bigRowId, instant, optionalText, rowId, stamps } from '#kernel/fields.ts';
import { keyed } from '#phone-numbers/dial-key.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';
import { idParam, idText4, idText8, pageOf, pageQuery, route } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { CALL_STATUSES, HANGUP_PARTIES } from '#protocol/call-status.ts';
import { ownCallsOf, softphoneCallList } from './agent-call-store.ts';
import { SOFTPHONE_DIRECTIONS, SOFTPHONE_LEG_ROLES, SOFTPHONE_LEG_STATUSES, SOFTPHONE_STATUSES, type SoftphoneCall } from './agent-call.ts';
import { type AgentCallDirection, placeCall } from './place-call.ts';
import { cancelAgentCallback, promiseAgentCallback } from './promise-agent-callback.ts';
import type { App } from '#app/app.ts';

const MAX_NUMBER_LENGTH = 64;
const MAX_NOTE_LENGTH = 2_000;

const legRow = z.object({
  role: z.enum(SOFTPHONE_LEG_ROLES),
  agentId: rowId.nullable(),
  callUuid: z.string(),
  status: z.enum(SOFTPHONE_LEG_STATUSES),
  dialingAt: instant.nullable(),
  answeredAt: instant.nullable(),
  endedAt: instant.nullable(),
  hangupCause: z.string().nullable(),
});

/** One call of an agent. Source: OCS 2.13, 4.13 */
const softphoneCallRow = z
  .object({
    id: bigRowId,
    softphoneCallId: bigRowId,
    requestId: z.string(),
    callKey: z.string(),
    direction: z.enum(SOFTPHONE_DIRECTIONS),
    status: z.enum(SOFTPHONE_STATUSES),
    agentId: rowId.nullable(),
    userId: rowId.nullable(),
    campaignId: rowId.nullable(),
    contactId: bigRowId.nullable(),
    attemptId: bigRowId.nullable(),
    sessionId: z.string().nullable(),
    conferenceId: z.string().nullable(),
    phoneNumber: z.string(),
    lineId: rowId.nullable(),
    callerNumber: z.string().nullable(),
    cellId: z.string().nullable(),
    note: z.string(),
    callStatus: z.enum(CALL_STATUSES).nullable(),
    hangupCause: z.string().nullable(),
    hangupBy: z.enum(HANGUP_PARTIES).nullable(),
    /** Reason of the failure, in Chinese. */
    failureReason: z.string().nullable(),
    answeredAt: instant.nullable(),
    endedAt: instant.nullable(),
    durationSeconds: z.int().nullable(),
    recordingUrl: z.string().nullable(),
    legs: z.array(legRow),
    ...stamps,
  })
  .meta({ id: 'SoftphoneCall' });

/** Source: D12.3 */
const callBody = z.object({
  phoneNumber: z.string().trim().max(MAX_NUMBER_LENGTH).nullish(),
  contactId: bigRowId.nullish(),
  campaignId: rowId.nullish(),
  note: optionalText(MAX_NOTE_LENGTH),
});

const placedCall = z.object({
  softphoneCallId: bigRowId,
  requestId: z.string(),
  direction: z.enum(SOFTPHONE_DIRECTIONS),
  status: z.enum(SOFTPHONE_STATUSES),
});

export const callRoute = (path: string, summary: string) =>
  route(`POST ${path}`, 'agent:operate', summary, { params: idParam, body: callBody, data: placedCall });

export const placeCallbackRoute = callRoute('/api/agents/:id/callbacks', '人工回呼：先呼坐席分机，再接通客户');
export const placeManualCallRoute = callRoute('/api/agents/:id/manual-calls', '人工外呼：先呼坐席分机，再接通客户');
export const placeTransferRoute = callRoute('/api/agents/:id/transfers', '工作台转接：坐席与客户桥接通话');

export const promiseAgentCallbackRoute = route(
  'POST /api/agents/:id/promised-callbacks',
  'agent:operate',
  '坐席为通话过的联系人约定回访；已有的约定被替换',
  {
    params: idParam,
    body: newCallback
      .omit({ agentId: true })
      .extend({ contactId: bigRowId, isPersonal: z.boolean().meta({ description: '由该坐席本人回访；缺省为是' }).optional() }),
    data: z.object({ callback }),
  },
);

export const cancelAgentCallbackRoute = route(
  'DELETE /api/agents/:id/promised-callbacks/:callbackId',
  'agent:operate',
  '坐席取消自己的回访：由其本人回访的，或由其约定、任何人都可回访的',
  { params: z.object({ id: idText4, callbackId: idText8 }), data: z.object({ callback }) },
);

export const listSoftphoneCallsRoute = route('GET /api/softphone-calls', 'agent:operate', '软电话通话记录', {
  query: pageQuery.extend({ agentId: idText4.optional(), campaignId: idText4.optional() }),
  data: pageOf(softphoneCallRow),
});

/** Calls that agents place, and the records of all agents' calls. Source: OCS 4.13 */
export function softphoneCallHandlers(app: App): RestHandler[] {
  const placing = (route: typeof placeManualCallRoute, direction: AgentCallDirection) =>
    handler(route, async ({ params, body, caller }) => {
      const call = await placeCall(app, caller, { agentId: params.id, direction, input: body });
      return { softphoneCallId: call.id, requestId: call.requestId, direction: call.direction, status: call.status };
    });
  return [
    placing(placeManualCallRoute, 'manual_call'),
    placing(placeCallbackRoute, 'callback'),
    placing(placeTransferRoute, 'transfer'),
    handler(promiseAgentCallbackRoute, async ({ params, body, caller }) => {
      const { contactId, isPersonal = true } = body;
      const promise = { contactId, isPersonal, ...promiseOf(body, app.timeZone) };
      return { callback: await promiseAgentCallback(app, caller, params.id, promise) };
    }),
    handler(cancelAgentCallbackRoute, async ({ params: { id: agentId, callbackId }, caller }) => ({
      callback: await cancelAgentCallback(app, caller, { agentId, callbackId }),
    })),
    handler(listSoftphoneCallsRoute, async ({ query, caller }) => {
      const page = await readPage(app, softphoneCallList, { ...keyed(query, app.region), ...ownCallsOf(caller) });
      return { ...page, rows: page.rows.map(shown) };
    }),
  ];
}

/** Source: OCS 2.13, D12.3 */
function shown(call: SoftphoneCall) {
  const legs = call.legs.map(leg => ({ ...leg, callUuid: leg.legUuid }));
  return { ...call, softphoneCallId: call.id, callKey: `request:${call.requestId}`, legs };
}
