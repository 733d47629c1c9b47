import { TO_RUNTIME, BETWEEN_SERVERS, described, type BusOperation } from './bus-operation.ts';
import { commandAnswer } from './commands.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import {
  endSoftphoneCommand,
  openSoftphoneAnswer,
  openSoftphoneRequest,
  saySoftphoneCommand,
  softphoneReport,
  softphoneSignal,
} from './softphone.ts';
import { SOFTPHONE_OPEN_SUBJECT, SOFTPHONE_SIGNAL_SUBJECT, softphoneCommandSubject, softphoneReportSubject } from './subjects.ts';

const SESSION = '{sessionId}';
const reply = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };

/** Sessions of browser phones. Source: A4, D12.4 */
export const SOFTPHONE_OPERATIONS: readonly BusOperation[] = described([
  {
    id: 'openSoftphone',
    ...TO_RUNTIME,
    address: SOFTPHONE_OPEN_SUBJECT,
    queue: 'callout-runtime',
    message: { name: 'OpenSoftphoneRequest', schema: openSoftphoneRequest, example: EXAMPLES.openSoftphone },
    reply: { name: 'OpenSoftphoneAnswer', schema: openSoftphoneAnswer, example: EXAMPLES.openSoftphoneAnswer },
  },
  {
    id: 'saySoftphone',
    ...TO_RUNTIME,
    address: softphoneCommandSubject(SESSION, 'say'),
    message: { name: 'SaySoftphoneCommand', schema: saySoftphoneCommand, example: EXAMPLES.saySoftphone },
    reply,
  },
  {
    id: 'endSoftphone',
    ...TO_RUNTIME,
    address: softphoneCommandSubject(SESSION, 'end'),
    message: { name: 'EndSoftphoneCommand', schema: endSoftphoneCommand, example: { cause: 'NORMAL_CLEARING' } },
    reply,
  },
  {
    id: 'reportSoftphone',
    peer: 'runtime',
    credential: 'proof',
    action: 'receive',
    address: softphoneReportSubject(SESSION),
    carrier: 'core',
    queue: 'callout-server',
    message: { name: 'SoftphoneReport', schema: softphoneReport, example: EXAMPLES.softphoneReport },
  },
  {
    id: 'tellSoftphone',
    ...BETWEEN_SERVERS,
    address: SOFTPHONE_SIGNAL_SUBJECT,
    message: { name: 'SoftphoneSignal', schema: softphoneSignal, example: { softphoneCallId: 407 } },
  },
]);
