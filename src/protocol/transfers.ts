import { z } from 'zod';
import { endTransferBody, endTransferData, routeTransferBody, routeTransferData } from '#conferences/conferences.ts';
import { rowId } from '#kernel/fields.ts';
import { busAnswerOf } from './requests.ts';

export const TRANSFER_STATUSES = ['ringing', 'unanswered', 'joined', 'failed', 'ended'] as const;

/** Same as the body of POST /api/transfers/route. Source: A4, D12.5 */
export const transferRouteRequest = routeTransferBody.meta({ description: '为客户通道预留一名空闲坐席并将其呼入会议' });
export const transferRouteAnswer = busAnswerOf(routeTransferData).meta({ id: 'TransferRouteAnswer', description: '已预留的坐席与会议' });
export const transferEndRequest = endTransferBody.meta({ description: '客户挂断后结束会议，可重复调用' });
export const transferEndAnswer = busAnswerOf(endTransferData).meta({ id: 'TransferEndAnswer', description: '已结束的坐席通话' });

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
