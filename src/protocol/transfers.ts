import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { bigRowId, optionalText, rowId } from '#kernel/fields.ts';
import { type BusOperation, FROM_RUNTIME, TO_RUNTIME } from './bus-operation.ts';
import { COMMAND_REPLY } from './hand-over.ts';
import { busAnswerOf } from './requests.ts';
import { commandSubject, TRANSFER_END_SUBJECT, TRANSFER_ROUTE_SUBJECT } from './subjects.ts';

const MAX_REASON_LENGTH = 500;

const MAX_CAUSE_LENGTH = 64;

const MAX_INTERVENTION_ID_LENGTH = 64;

const requestId = z.uuid().optional();

const attemptId = bigRowId.optional();

/** Request to transfer a customer to an agent, with optional agent, group and intervention. Source: D12.5 */
export const routeTransferBody = z
  .object({
    requestId,
    attemptId,
    customerUuid: z.uuid().meta({ description: '客户通道的 uuid' }),
    cellId: z.string().max(64).optional(),
    groupId: rowId.nullish(),
    agentId: rowId.nullish().meta({ description: '指定坐席；带 interventionId 时为优先坐席，忙时转给他人' }),
    interventionId: z.string().min(1).max(MAX_INTERVENTION_ID_LENGTH).nullish(),
    reason: optionalText(MAX_REASON_LENGTH),
  })
  .superRefine((body, context) => {
    if (body.requestId === undefined && body.attemptId === undefined)
      context.addIssue({ code: 'custom', path: ['requestId'], message: issue('emptyTogether', { other: 'attemptId' }) });
  })
  .meta({ id: 'TransferRouteRequest', description: '为客户通道预留一名空闲坐席并将其呼入会议' });

export const routeTransferData = z.object({
  conferenceId: rowId,
  conferenceName: z.string(),
  agent: z.object({ id: rowId, name: z.string(), phoneExtension: z.string() }),
  softphoneCallId: bigRowId,
  agentCallUuid: z.uuid(),
});

export const endTransferBody = z
  .object({ customerUuid: z.uuid(), conferenceId: rowId.optional(), hangupCause: z.string().max(MAX_CAUSE_LENGTH).optional() })
  .meta({ id: 'TransferEndRequest', description: '客户挂断后结束会议，可重复调用' });

export const endTransferData = z.object({
  ended: z.boolean(),
  released: z.array(z.object({ softphoneCallId: bigRowId, agentId: rowId.nullable() })),
});

const TRANSFER_STATUSES = ['ringing', 'unanswered', 'joined', 'failed', 'ended'] as const;

/** Same as the body of POST /api/transfers/route. Source: A4, D12.5 */
export const transferRouteRequest = routeTransferBody.meta({ description: '为客户通道预留一名空闲坐席并将其呼入会议' });
export const transferRouteAnswer = busAnswerOf(routeTransferData).meta({ id: 'TransferRouteAnswer', description: '已预留的坐席与会议' });
export const transferEndRequest = endTransferBody.meta({ description: '客户挂断后结束会议，可重复调用' });
const transferEndAnswer = busAnswerOf(endTransferData).meta({ id: 'TransferEndAnswer', description: '已结束的坐席通话' });

/**
 * Progress of a transfer. `unanswered`: another agent is called; `failed`: the script continues, because no agent joined or the joined
 * agent's phone was lost (`AGENT_LOST`); `ended`: the agent has left, and the runtime says goodbye to the customer.
 *
 * Source: A4 `callout.v1.command.<requestId>.transfer`
 */
export const transferCommand = z
  .object({
    conferenceId: rowId,
    conferenceName: z.string(),
    interventionId: z.string().nullish(),
    status: z.enum(TRANSFER_STATUSES),
    agentId: rowId.nullish(),
    agentName: z.string().nullish(),
    cause: z.string().nullish(),
  })
  .meta({ id: 'TransferCommand', description: '转人工的进展' });

export type TransferCommand = z.output<typeof transferCommand>;

export const transferRouteAnswerExample = {
  ok: true,
  data: {
    conferenceId: 31,
    conferenceName: 'callout-0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
    agent: { id: 12, name: '李雷', phoneExtension: '1005' },
    softphoneCallId: 407,
    agentCallUuid: '2c1d0e9f-8a7b-8a6c-9d5e-4f3a0000000c',
  },
};

export const transferEndAnswerExample = { ok: true, data: { ended: true, released: [{ softphoneCallId: 407, agentId: 12 }] } };

export const transferNewsExample = {
  conferenceId: 31,
  conferenceName: 'callout-0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  interventionId: null,
  status: 'joined',
  agentId: 12,
  agentName: '李雷',
};

const CALL = '{requestId}';

/** Transfer of a call to an agent. Source: A4, D12.5 */
export const TRANSFER_OPERATIONS = [
  {
    id: 'routeTransfer',
    summary: '转人工：预留一名空闲坐席并呼入会议',
    detail:
      '与 POST /api/transfers/route 相同。坐席接听后客户被接入会议；无空闲坐席时应答 CONFLICT，话术继续。由话术引擎调用：在 transfer 节点，或 consume 应答 consumed: true 之后。',
    en: {
      summary: 'Hand over: reserve an idle agent and call it into a conference',
      detail:
        'As POST /api/transfers/route. The customer joins when the agent has answered; with nobody idle the answer is CONFLICT and the script goes on. Called by the runtime: at a node transfer, or after consume was answered consumed: true.',
    },
    ...FROM_RUNTIME,

    address: TRANSFER_ROUTE_SUBJECT,
    queue: 'callout-server',
    message: {
      name: 'TransferRouteRequest',
      schema: transferRouteRequest,
      example: {
        requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
        customerUuid: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
        groupId: 2,
        reason: '客户要求人工',
      },
    },
    reply: { name: 'TransferRouteAnswer', schema: transferRouteAnswer, example: transferRouteAnswerExample },
  },
  {
    id: 'endTransfer',
    summary: '转人工结束：客户挂断后的收尾',
    detail: '与 POST /api/transfers/end 相同，可重复调用；早于 route 的应答到达时同样有效。',
    en: {
      summary: 'The hand-over is over: the customer has gone',
      detail: 'As POST /api/transfers/end; may be repeated, and also works before the answer to route has come.',
    },
    ...FROM_RUNTIME,

    address: TRANSFER_END_SUBJECT,
    queue: 'callout-server',
    message: {
      name: 'TransferEndRequest',
      schema: transferEndRequest,
      example: { customerUuid: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10', hangupCause: 'NORMAL_CLEARING' },
    },
    reply: { name: 'TransferEndAnswer', schema: transferEndAnswer, example: transferEndAnswerExample },
  },
  {
    id: 'tellTransfer',
    summary: '转人工的进展',
    detail:
      'ringing：坐席话机正在振铃；unanswered：坐席未接，正在呼叫下一位；joined：客户已与坐席通话，字幕继续上报（speaker 为 agent）；failed：无人接听，话术继续；ended：坐席已离开，由话术引擎道别并挂断。无话术引擎应答时服务器挂断客户。机器人可以说到 joined 为止。',
    en: {
      summary: 'How the hand-over goes on',
      detail:
        'ringing: the agent’s phone rings; unanswered: the next agent is called; joined: customer and agent talk, captions go on (speaker agent); failed: nobody came, the script goes on; ended: the agent has left, say goodbye and hang up. Without an answer the server hangs up. The bot may speak until joined.',
    },
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'transfer'),
    message: { name: 'TransferCommand', schema: transferCommand, example: transferNewsExample },
    reply: COMMAND_REPLY,
  },
] as const satisfies readonly BusOperation[];
