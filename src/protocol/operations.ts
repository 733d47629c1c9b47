import { progressReport } from './progress.ts';
import { busResultReport } from './result.ts';
import {
  TO_RUNTIME,
  REPORTED,
  BETWEEN_SERVERS,
  FROM_RUNTIME,
  described,
  type BusMessageContract,
  type BusOperation,
} from './bus-operation.ts';
import { commandAnswer, hangupCommand, startCommand } from './hand-over.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { INTERVENTION_OPERATIONS, MONITORING_OPERATIONS } from './interventions.ts';
import { POOL_OPERATIONS } from './pool.ts';
import { SOFTPHONE_OPERATIONS } from './softphones.ts';
import { TRANSFER_OPERATIONS } from './transfers.ts';
import { campaignAnswer, campaignRequest, endCallAnswer, endCallRequest, scriptAnswer, scriptRequest } from './requests.ts';
import { emptySignal, liveDelta, sessionsEnded } from './signals.ts';
import {
  actorSubject,
  captionSubject,
  commandSubject,
  LIVE_SUBJECTS,
  RUNTIME_EVENTS_SUBJECT,
  runtimeSubject,
  SCRIPT_SUBJECTS,
  SESSION_ENDED_SUBJECT,
  WAKE_SUBJECTS,
} from './subjects.ts';

const CALL = '{requestId}';
const start = { name: 'StartCommand', schema: startCommand, example: EXAMPLES.start };
const hangup = { name: 'HangupCommand', schema: hangupCommand, example: EXAMPLES.hangup };
const answer = { name: 'CommandAnswer', schema: commandAnswer, example: EXAMPLES.commandAnswer };
const result = { name: 'ResultReport', schema: busResultReport, example: EXAMPLES.result };
const signal = { name: 'Signal', schema: emptySignal, example: {} };
const campaign = { name: 'CampaignRequest', schema: campaignRequest, example: {} };
const campaignReply = { name: 'CampaignAnswer', schema: campaignAnswer, example: EXAMPLES.campaignAnswer };

const progress = (example: unknown): BusMessageContract => ({ name: 'ProgressReport', schema: progressReport, example });

/** Messages between the server and the call-flow runtime. */
const RUNTIME_OPERATIONS: readonly BusOperation[] = described([
  { id: 'startCall', ...TO_RUNTIME, address: commandSubject(CALL, 'start'), queue: 'callout-runtime', message: start, reply: answer },
  { id: 'hangupCall', ...TO_RUNTIME, address: commandSubject(CALL, 'hangup'), message: hangup, reply: answer },
  { id: 'pingCall', ...TO_RUNTIME, address: commandSubject(CALL, 'ping'), message: signal, reply: answer },
  { id: 'reportStarted', ...REPORTED, address: runtimeSubject('started', CALL), message: progress(EXAMPLES.started) },
  { id: 'reportIntervention', ...REPORTED, address: runtimeSubject('intervention', CALL), message: progress(EXAMPLES.intervention) },
  { id: 'reportEnded', ...REPORTED, address: runtimeSubject('ended', CALL), message: progress(EXAMPLES.ended) },
  { id: 'reportResult', ...REPORTED, address: runtimeSubject('result', CALL), message: result },
  {
    id: 'sendCaption',
    peer: 'runtime',
    action: 'receive',
    credential: 'proof',
    address: captionSubject(CALL),
    carrier: 'core',
    queue: 'callout-server',
    message: progress(EXAMPLES.caption),
  },
  {
    id: 'endCall',
    ...FROM_RUNTIME,
    credential: 'sessionOrProof',
    address: actorSubject('call', CALL, 'hangup'),
    queue: 'callout-server',
    message: { name: 'EndCallRequest', schema: endCallRequest, example: EXAMPLES.endCall },
    reply: { name: 'EndCallAnswer', schema: endCallAnswer, example: EXAMPLES.endCallAnswer },
  },
  {
    id: 'readScript',
    ...FROM_RUNTIME,
    address: SCRIPT_SUBJECTS.replace('*', '{scriptId}'),
    queue: 'callout-server',
    message: { name: 'ScriptRequest', schema: scriptRequest, example: EXAMPLES.scriptRequest },
    reply: { name: 'ScriptAnswer', schema: scriptAnswer, example: EXAMPLES.scriptAnswer },
  },
]);

/** Messages of other clients, and those that server instances publish to each other and to subscribers. */
const SERVER_OPERATIONS: readonly BusOperation[] = described([
  {
    id: 'startCampaign',
    peer: 'client',
    credential: 'either',
    action: 'receive',
    address: actorSubject('campaign', '{campaignId}', 'start'),
    carrier: 'request',
    queue: 'callout-server',
    message: campaign,
    reply: campaignReply,
  },
  {
    id: 'pauseCampaign',
    peer: 'client',
    credential: 'either',
    action: 'receive',
    address: actorSubject('campaign', '{campaignId}', 'pause'),
    carrier: 'request',
    queue: 'callout-server',
    message: campaign,
    reply: campaignReply,
  },
  {
    id: 'tellLiveDelta',
    ...BETWEEN_SERVERS,
    address: LIVE_SUBJECTS.replace('>', '{campaignId}.{userId}.{requestId}.{kind}'),
    message: { name: 'LiveDelta', schema: liveDelta, example: EXAMPLES.liveDelta },
  },
  { id: 'wakeCampaign', ...BETWEEN_SERVERS, address: WAKE_SUBJECTS.replace('*', '{campaignId}'), message: signal },
  { id: 'tellRuntimeEvent', ...BETWEEN_SERVERS, address: RUNTIME_EVENTS_SUBJECT, message: signal },
  {
    id: 'tellSessionsEnded',
    ...BETWEEN_SERVERS,
    address: SESSION_ENDED_SUBJECT,
    message: { name: 'SessionsEnded', schema: sessionsEnded, example: EXAMPLES.sessionsEnded },
  },
]);

/** Every operation of the bus, in page order; permissions and the commands that a runtime answers are derived from it. Source: A4 */
export const BUS_OPERATIONS: readonly BusOperation[] = [
  ...POOL_OPERATIONS,
  ...RUNTIME_OPERATIONS,
  ...INTERVENTION_OPERATIONS,
  ...TRANSFER_OPERATIONS,
  ...SOFTPHONE_OPERATIONS,
  ...MONITORING_OPERATIONS,
  ...SERVER_OPERATIONS,
];
