import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { StartCommand } from '#protocol/hand-over.ts';
import type { RuntimeScript } from '#protocol/runtime-script.ts';
import { actorSubject } from '#protocol/subjects.ts';
import { type CallEnding, promisedVariables } from './call-record.ts';
import type { RecordCall } from './call-recording.ts';
import { type CallReports, createCallReports } from './call-reports.ts';
import { simulatedConversation } from './conversation.ts';
import type { Customer } from './customer/customer.ts';
import { createGuidance, type Guidance, guidedConversation } from './guidance.ts';
import { createHandOver } from './hand-over.ts';
import { isMailboxGreeting } from './mailbox-greeting.ts';
import type { NatsLink } from './nats-link.ts';
import type { ReportOutbox } from './report-outbox.ts';
import { PAUSE_APOLOGY, resumptionOf } from './resumption.ts';
import { type ScriptSource, UnknownScript } from './script-source.ts';
import { walkScript, type WalkStep } from '#scripts/decisions/flow/walk.ts';
import type { Conversation, HandOver, Understanding, WalkScope } from '#scripts/decisions/flow/walk-scope.ts';
import type { VoiceOn } from './voice.ts';

export interface LiveCallDeps {
  link: Pick<NatsLink, 'publish' | 'request'>;
  outbox: Pick<ReportOutbox, 'send'>;
  scripts: ScriptSource;
  understanding: Understanding;
  clock: Clock;
  log: Log;
  speed: number;
  /** Included in each report. */
  runtimeId: string;
  customerOf(offer: StartCommand): Customer;
  recordCall: RecordCall;
  /** Sound of calls; absent: they have none. */
  voiceOn?: VoiceOn;
}

/** A call from its hand-over to its result. */
export interface LiveCall {
  /** Stops everything at once, because the channel has ended or a command ends the call. */
  end(ending: Pick<CallEnding, 'by' | 'cause'>): void;
  /** Receives transfer events and interventions. */
  handOver: HandOver;
  /** Receives what people tell the bot. */
  guidance: Pick<Guidance, 'hint' | 'say'>;
  /** Epoch of the hand-over to this runtime. */
  epoch(): number | undefined;
  /** Continues under the epoch of another hand-over to this runtime. */
  adopt(epoch: number): void;
  /** Stops everything without a report, because another runtime owns the call; the customer stays on the line. */
  release(): void;
  /** Settles when the outbox has the result, or the call is released; never rejects. */
  done: Promise<void>;
}

/** How long the bot waits for a greeting before it speaks, in ms. */
const OPENING_WAIT_MS = 1_500;
/** Stands where captions name a node of the script. */
const MAILBOX_NODE = 'mailbox';
const HANGUP_TIMEOUT_MS = 2_000;
const HANGUP_ATTEMPTS = 3;
/** Longest call, in ms: a script must not hold a line for ever. */
const MAX_CALL_MS = 1_800_000;
const GOODBYE = { by: 'bot', cause: 'NORMAL_CLEARING' } as const;

/** Runs one call. Reports `started`, captions, `ended` and `result`, always in that order. */
export function startLiveCall(deps: LiveCallDeps, offer: StartCommand): LiveCall {
  const over = new AbortController();
  let ended: Pick<CallEnding, 'by' | 'cause'> | null = null;
  const end: LiveCall['end'] = ending => {
    if (over.signal.aborted) return;
    ended = ending;
    over.abort();
  };
  const cancel = deps.clock.schedule(MAX_CALL_MS, () => end({ by: 'system', cause: 'ALLOTTED_TIMEOUT' }));
  const handOver = createHandOver({ ...deps, requestId: offer.requestId, over: over.signal });
  const guidance = createGuidance();
  const reports = createCallReports(deps, offer);
  const done = run(deps, offer, { over: over.signal, endedBy: () => ended, handOver, guidance, reports })
    .catch((error: unknown) => deps.log.error({ err: error, requestId: offer.requestId }, 'an unexpected error lost the result of a call'))
    .finally(cancel);
  const release = () => {
    reports.fallSilent();
    over.abort();
  };
  return { end, done, handOver, guidance, release, epoch: () => reports.epoch(), adopt: epoch => reports.adopt(epoch) };
}

interface Course {
  over: AbortSignal;
  /** The party that ended the call from outside; null when none did. */
  endedBy(): Pick<CallEnding, 'by' | 'cause'> | null;
  handOver: HandOver;
  guidance: Guidance;
  reports: CallReports;
}

interface Progress {
  script: RuntimeScript | null;
  steps: readonly WalkStep[];
  variables: ReadonlyMap<string, unknown>;
  how: CallEnding['how'];
}

async function run(deps: LiveCallDeps, offer: StartCommand, course: Course): Promise<void> {
  const { clock, log } = deps;
  const { requestId } = offer;
  const { reports } = course;
  const takenAt = clock.now();
  // The switch knows the time of the answer.
  const answeredAt = offer.answeredAt === undefined ? takenAt : Date.parse(offer.answeredAt);
  reports.started(takenAt);
  const progress = await converse(deps, offer, course).catch((error: unknown): Progress => {
    log.error({ err: error, requestId }, 'the conversation failed');
    return { script: null, steps: [], variables: new Map(), how: 'failed' };
  });
  if (reports.isSilent()) return;
  const from = course.endedBy();
  const endedAt = clock.now();
  if (from === null || from.by === 'system') await askToHangUp(deps, offer);
  await course.handOver.end();
  const ending: CallEnding = { how: progress.how, ...(from ?? GOODBYE) };
  reports.ended(endedAt, ending);
  const recording = await deps.recordCall({ requestId, segments: reports.segments, lengthMs: endedAt - takenAt });
  reports.result({ offer, answeredAt, endedAt, ending, recording, ...progress });
}

async function converse(deps: LiveCallDeps, offer: StartCommand, { over, handOver, guidance, reports }: Course): Promise<Progress> {
  const simulated = simulatedConversation({
    customer: deps.customerOf(offer),
    clock: deps.clock,
    speed: deps.speed,
    over,
    onSegment: segment => reports.caption(segment),
    // Two runtimes of one call must not use the same segment ids.
    segmentPrefix: offer.resuming === true ? `${offer.epoch ?? 0}-` : '',
    ...(deps.voiceOn ? { voice: deps.voiceOn(offer.requestId) } : {}),
  });
  const conversation = guidedConversation(simulated, guidance);
  const [opening, script] = await Promise.all([open(conversation, offer), loadScript(deps, offer, over)]);
  const known = typeof script === 'string' ? null : script;
  const variables = startVariables(offer, known);
  if (opening !== null && isMailboxGreeting(opening)) {
    if (offer.mailboxText !== undefined) await conversation.say(MAILBOX_NODE, offer.mailboxText);
    return { script: known, steps: [], variables, how: 'voicemail' };
  }
  if (typeof script === 'string') return { script: null, steps: [], variables, how: over.aborted ? 'interrupted' : script };
  const { understanding } = deps;
  const takeHint = () => guidance.takeHint();
  const reportIntervention: WalkScope['reportIntervention'] = (...told) => reports.intervention(...told);
  return goOn(deps, offer, { script, conversation, variables, over, handOver, reportIntervention, understanding, heard: '', takeHint });
}

/** A resumed customer has been talking already and does not greet. */
function open(conversation: Conversation, { resuming = false }: StartCommand): Promise<string | null> {
  return resuming ? Promise.resolve(null) : conversation.open('', OPENING_WAIT_MS);
}

/** Runs the script from its beginning, or from where another runtime left the call. */
async function goOn(deps: LiveCallDeps, offer: StartCommand, scope: WalkScope): Promise<Progress> {
  const resumption = resumptionOf(offer, scope.script);
  if (resumption === null) return walk(deps, scope);
  const { nodeId, steps } = resumption;
  await scope.conversation.say(nodeId, PAUSE_APOLOGY);
  const progress = await walk(deps, { ...scope, script: { ...scope.script, entryNodeId: nodeId } });
  return { ...progress, steps: [...steps, ...progress.steps] };
}

async function walk(deps: LiveCallDeps, scope: WalkScope): Promise<Progress> {
  const { script, variables } = scope;
  const { end, steps } = await walkScript(scope);
  if (end === 'too_many_steps' || end === 'dead_end')
    deps.log.warn({ scriptId: script.id, version: script.version, end }, 'a script did not reach an end node');
  return { script, steps, variables, how: end };
}

/** `no_script`: there is none; `failed`: it is unavailable now. Both are logged and reported in the result. */
async function loadScript(
  { scripts, log }: LiveCallDeps,
  offer: StartCommand,
  over: AbortSignal,
): Promise<RuntimeScript | 'no_script' | 'failed'> {
  const { scriptId, scriptVersion, requestId } = offer;
  if (scriptId === null) {
    log.warn({ requestId, campaignId: offer.campaignId }, 'the campaign has no script; the call is hung up');
    return 'no_script';
  }
  try {
    return await scripts.get(scriptId, scriptVersion, over);
  } catch (error) {
    log.error({ err: error, requestId, scriptId, scriptVersion }, 'the script could not be loaded; the call is hung up');
    return error instanceof UnknownScript ? 'no_script' : 'failed';
  }
}

/** In ascending priority: the script's defaults, what was promised, the campaign's variables, the contact's metadata. Source: OCS 2.6, 2.7 */
function startVariables(offer: StartCommand, script: RuntimeScript | null): Map<string, unknown> {
  const { customerName, variables, metadata } = offer;
  const promised = promisedVariables(offer);
  return new Map<string, unknown>(Object.entries({ customerName, ...script?.variables, ...promised, ...variables, ...metadata }));
}

/** A channel that has already ended is not a failure; the server ends a remaining one after the result (A7). */
async function askToHangUp({ link, log }: LiveCallDeps, { requestId }: StartCommand): Promise<void> {
  for (let attempt = 1; attempt <= HANGUP_ATTEMPTS; attempt++) {
    try {
      await link.request(actorSubject('call', requestId, 'hangup'), { cause: GOODBYE.cause }, HANGUP_TIMEOUT_MS);
      return;
    } catch (error) {
      if (attempt === HANGUP_ATTEMPTS) log.warn({ err: error, requestId }, 'no server accepted the hang-up request');
    }
  }
}
