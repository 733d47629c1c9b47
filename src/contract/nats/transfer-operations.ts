import type { BusOperation } from './bus-operation.ts';
import { commandAnswer } from './commands.ts';
import { EXAMPLES } from './examples.ts';
import { commandSubject, TRANSFER_END_SUBJECT, TRANSFER_ROUTE_SUBJECT } from './subjects.ts';
import { transferCommand, transferEndAnswer, transferEndRequest, transferRouteAnswer, transferRouteRequest } from './transfers.ts';

const CALL = '{requestId}';

/** Handing a call over to a person. Source: A4, D12.5 */
export const TRANSFER_OPERATIONS: readonly BusOperation[] = [
  {
    id: 'routeTransfer',
    peer: 'runtime',
    credential: 'internalToken',
    action: 'receive',
    address: TRANSFER_ROUTE_SUBJECT,
    carrier: 'request',
    queue: 'callout-server',
    summary: '转人工：预留一名空闲坐席并呼入会议',
    detail: '与 POST /api/transfers/route 相同。坐席接听后客户被接入会议；无空闲坐席时应答 CONFLICT，话术继续。',
    en: {
      summary: 'Hand over: reserve an idle agent and call it into a conference',
      detail:
        'As POST /api/transfers/route. The customer joins when the agent has answered; with nobody idle the answer is CONFLICT and the script goes on.',
    },
    message: { name: 'TransferRouteRequest', schema: transferRouteRequest, example: EXAMPLES.transferRoute },
    reply: { name: 'TransferRouteAnswer', schema: transferRouteAnswer, example: EXAMPLES.transferRouteAnswer },
  },
  {
    id: 'endTransfer',
    peer: 'runtime',
    credential: 'internalToken',
    action: 'receive',
    address: TRANSFER_END_SUBJECT,
    carrier: 'request',
    queue: 'callout-server',
    summary: '转人工结束：客户挂断后的收尾',
    detail: '与 POST /api/transfers/end 相同，可重复调用；早于 route 的应答到达时同样有效。',
    en: {
      summary: 'The hand-over is over: the customer has gone',
      detail: 'As POST /api/transfers/end; may be repeated, and also works before the answer to route has come.',
    },
    message: { name: 'TransferEndRequest', schema: transferEndRequest, example: EXAMPLES.transferEnd },
    reply: { name: 'TransferEndAnswer', schema: transferEndAnswer, example: EXAMPLES.transferEndAnswer },
  },
  {
    id: 'tellTransfer',
    peer: 'runtime',
    action: 'send',
    address: commandSubject(CALL, 'transfer'),
    carrier: 'request',
    summary: '转人工的进展',
    detail:
      'unanswered：坐席未接，正在呼叫下一位；joined：客户已与坐席通话，字幕继续上报（speaker 为 agent）；failed：无人接听，话术继续；ended：坐席已离开，由运行时道别并挂断。无运行时应答时服务器挂断客户。',
    en: {
      summary: 'How the hand-over goes on',
      detail:
        'unanswered: the next agent is called; joined: customer and agent talk, captions go on (speaker agent); failed: nobody came, the script goes on; ended: the agent has left, say goodbye and hang up. Without an answer the server hangs up.',
    },
    message: { name: 'TransferCommand', schema: transferCommand, example: EXAMPLES.transferNews },
    reply: { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer },
  },
];
