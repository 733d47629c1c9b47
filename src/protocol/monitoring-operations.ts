import { TO_RUNTIME, described, type BusMessageContract, type BusOperation } from './bus-operation.ts';
import { commandAnswer } from './commands.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import {
  cancelCommand,
  claimRequest,
  consumeAnswer,
  consumeRequest,
  heartbeatAnswer,
  heartbeatRequest,
  interveneCommand,
  interventionAnswer,
  leaveAnswer,
  releaseAnswer,
  sessionRequest,
} from './monitoring.ts';
import { actorSubject, commandSubject } from './subjects.ts';

const CALL = '{requestId}';
const session: BusMessageContract = { name: 'SessionRequest', schema: sessionRequest, example: EXAMPLES.session };
const interventionReply: BusMessageContract = {
  name: 'InterventionAnswer',
  schema: interventionAnswer,
  example: EXAMPLES.interventionAnswer,
};
const acknowledged: BusMessageContract = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };
const asked = { action: 'receive', carrier: 'request', queue: 'callout-server' } as const;

/** Intervention in a call, between server and runtime. Source: A4, A7 */
export const INTERVENTION_OPERATIONS: readonly BusOperation[] = described([
  {
    id: 'intervene',
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'intervene'),
    message: { name: 'InterveneCommand', schema: interveneCommand, example: EXAMPLES.intervene },
    reply: acknowledged,
  },
  {
    id: 'cancelIntervention',
    ...TO_RUNTIME,
    address: commandSubject(CALL, 'cancel'),
    message: { name: 'CancelCommand', schema: cancelCommand, example: EXAMPLES.cancelCommand },
    reply: acknowledged,
  },
  {
    id: 'consumeIntervention',
    peer: 'runtime',

    ...asked,
    address: actorSubject('intervention', CALL, 'consume'),
    message: { name: 'ConsumeRequest', schema: consumeRequest, example: EXAMPLES.consume },
    reply: { name: 'ConsumeAnswer', schema: consumeAnswer, example: EXAMPLES.consumeAnswer },
  },
]);

/** Requests of monitors over the bus, with the rules and answers of REST. Source: OCS 4.12 */
export const MONITORING_OPERATIONS: readonly BusOperation[] = described([
  {
    id: 'heartbeat',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('monitor', 'me', 'heartbeat'),
    message: { name: 'HeartbeatRequest', schema: heartbeatRequest, example: EXAMPLES.heartbeat },
    reply: { name: 'HeartbeatAnswer', schema: heartbeatAnswer, example: EXAMPLES.heartbeatAnswer },
  },
  {
    id: 'leaveMonitoring',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('monitor', 'me', 'leave'),
    message: session,
    reply: { name: 'LeaveAnswer', schema: leaveAnswer, example: EXAMPLES.leaveAnswer },
  },
  {
    id: 'claimIntervention',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'claim'),
    message: { name: 'ClaimRequest', schema: claimRequest, example: EXAMPLES.claim },
    reply: interventionReply,
  },
  {
    id: 'withdrawIntervention',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'cancel'),
    message: session,
    reply: interventionReply,
  },
  {
    id: 'releaseCall',
    peer: 'client',
    credential: 'session',
    ...asked,
    address: actorSubject('call', CALL, 'release'),
    message: session,
    reply: { name: 'ReleaseAnswer', schema: releaseAnswer, example: EXAMPLES.endCallAnswer },
  },
]);
