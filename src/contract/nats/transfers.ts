import { z } from 'zod';
import { endTransferBody, endTransferData, routeTransferBody, routeTransferData } from '../rest/conferences.ts';
import { rowId } from '#model/fields.ts';
import { busAnswerOf } from './requests.ts';

export const TRANSFER_STATUSES = ['ringing', 'unanswered', 'joined', 'failed', 'ended'] as const;

/** As the body of POST /api/transfers/route, with the internal token. Source: A4, D12.5 */
export const transferRouteRequest = routeTransferBody.meta({ description: '为客户通道预留一名空闲坐席并将其呼入会议' });
export const transferRouteAnswer = busAnswerOf(routeTransferData).meta({ id: 'TransferRouteAnswer', description: '已预留的坐席与会议' });
export const transferEndRequest = endTransferBody.meta({ description: '客户挂断后结束会议，可重复调用' });
export const transferEndAnswer = busAnswerOf(endTransferData).meta({ id: 'TransferEndAnswer', description: '已结束的坐席通话' });

/**
 * How a hand-over goes on: `unanswered` asks another agent, `failed` gives the call back to the script, before
 * anybody has joined or when the phone of whoever had was lost (`AGENT_LOST`), `ended` leaves the customer to a goodbye.
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
