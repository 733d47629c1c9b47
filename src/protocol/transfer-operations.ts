import { TO_RUNTIME, FROM_RUNTIME, described, type BusOperation } from './bus-operation.ts';
import { commandAnswer } from './commands.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { commandSubject, TRANSFER_END_SUBJECT, TRANSFER_ROUTE_SUBJECT } from './subjects.ts';
import { transferCommand, transferEndAnswer, transferEndRequest, transferRouteAnswer, transferRouteRequest } from './transfers.ts';

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
