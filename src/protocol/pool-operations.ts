import { TO_RUNTIME, FROM_RUNTIME, described, type BusOperation } from './bus-operation.ts';
import { commandAnswer, startCommand } from './commands.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { poolAnswer, poolBye, poolMember, rejectedReport, releaseCommand } from './runtime-pool.ts';
import { emptySignal } from './signals.ts';
import { POOL_BEAT_SUBJECT, POOL_BYE_SUBJECT, POOL_HELLO_SUBJECT, POOL_ROLL_CALL_SUBJECT, poolSubject } from './subjects.ts';

const RUNTIME = '{runtimeId}';
const member = {
  name: 'RuntimePoolMember',
  schema: poolMember,
  example: EXAMPLES.poolMember,
};
const leaving = {
  name: 'RuntimePoolBye',
  schema: poolBye,
  example: EXAMPLES.poolBye,
};
const answer = { name: 'RuntimePoolAnswer', schema: poolAnswer, example: EXAMPLES.poolAnswer };
const accepted = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };

/** Registration of runtimes, and messages addressed to one of them. Source: A4 */
export const POOL_OPERATIONS: readonly BusOperation[] = described([
  { id: 'runtimeHello', ...FROM_RUNTIME, address: POOL_HELLO_SUBJECT, message: member, reply: answer },
  { id: 'runtimeBeat', ...FROM_RUNTIME, address: POOL_BEAT_SUBJECT, message: member, reply: answer },
  { id: 'runtimeBye', ...FROM_RUNTIME, address: POOL_BYE_SUBJECT, message: leaving, reply: answer },
  {
    id: 'callRoll',
    peer: 'runtime',
    action: 'send',
    address: POOL_ROLL_CALL_SUBJECT,
    carrier: 'core',
    message: { name: 'Signal', schema: emptySignal, example: {} },
  },
  {
    id: 'startCallAt',
    ...TO_RUNTIME,
    address: poolSubject(RUNTIME, 'start'),
    message: { name: 'StartCommand', schema: startCommand, example: EXAMPLES.startAt },
    reply: accepted,
  },
  {
    id: 'releaseCallAt',
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'release'),
    carrier: 'core',
    message: { name: 'ReleaseCommand', schema: releaseCommand, example: EXAMPLES.release },
  },
  {
    id: 'tellRejected',
    peer: 'runtime',
    action: 'send',
    address: poolSubject(RUNTIME, 'rejected'),
    carrier: 'core',
    message: { name: 'RejectedReport', schema: rejectedReport, example: EXAMPLES.rejected },
  },
]);
