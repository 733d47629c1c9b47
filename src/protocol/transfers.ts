import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { bigRowId, optionalText, rowId } from '#kernel/fields.ts';
import { type BusOperation, described, FROM_RUNTIME, TO_RUNTIME } from './bus-operation.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { commandAnswer } from './hand-over.ts';
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

const CALL = '{requestId}';

/** Transfer of a call to an agent. Source: A4, D12.5 */
export const TRANSFER_OPERATIONS: readonly BusOperation[] = described([
  {
    id: 'routeTransfer',
    ...FROM_RUNTIME,

    address: TRANSFER_ROUTE_SUBJECT,
    queue: 'callout-server',
    message: { name: 'TransferRouteRequest', schema: transferRouteRequest, example: EXAMPLES.transferRoute },
    reply: { name: 'TransferRouteAnswer', schema: transferRouteAnswer, example: EXAMPLES.transferRouteAnswer },
  },
  {
    id: 'endTransfer',
    ...FROM_RUNTIME,

    address: TRANSFER_END_SUBJECT,
    queue: 'callout-server',
    message: { name: 'TransferEndRequest', schema: transferEndRequest, example: EXAMPLES.transferEnd },
    reply: { name: 'TransferEndAnswer', schema: transferEndAnswer, example: EXAMPLES.transferEndAnswer },
  },
  {
    id: 'tellTransfer',
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'transfer'),
    message: { name: 'TransferCommand', schema: transferCommand, example: EXAMPLES.transferNews },
    reply: { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer },
  },
]);
