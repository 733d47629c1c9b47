import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { StartCommand } from '#contract/nats/commands.ts';
import type { RuntimeScript } from '#contract/nats/runtime-script.ts';
import { actorSubject } from '#contract/nats/subjects.ts';
import { type CallEnding, type CallRecord, resultOf } from './call-record.ts';
import { type Segment, simulatedConversation } from './conversation.ts';
import type { Customer } from './customer/customer.ts';
import { createHandOver, type HandOver } from './hand-over.ts';
import { isMailboxGreeting } from './mailbox-greeting.ts';
import type { NatsLink } from './nats-link.ts';
import type { Understanding } from './nlu/understanding.ts';
import type { ReportOutbox } from './report-outbox.ts';
import { type ScriptSource, UnknownScript } from './script-source.ts';
import { walkScript, type WalkStep } from './walk.ts';
import type { WalkScope } from './walk-scope.ts';

export interface LiveCallDeps {
  link: Pick<NatsLink, 'publish' | 'request'>;
  outbox: Pick<ReportOutbox, 'send'>;
  scripts: ScriptSource;
  understanding: Understanding;
  clock: Clock;
  log: Log;
  speed: number;
  customerOf(brief: StartCommand): Customer;
}

/** A call from its hand-over to its result. */
export interface LiveCall {
  /** The channel is gone, or somebody ends the call: whatever is under way stops at once. */
  end(ending: Pick<CallEnding, 'by' | 'cause'>): void;
  /** Where news of a transfer and interventions go. */
  handOver: HandOver;
  /** Settles when the result has been handed to the outbox; never rejects. */
  done: Promise<void>;
}

/** How long the bot waits for a "hello" before it speaks, ms. */
const OPENING_WAIT_MS = 1_500;
const HANGUP_TIMEOUT_MS = 2_000;
const HANGUP_ATTEMPTS = 3;
/** Longest call, ms: a script cannot hold a line for ever. */
const MAX_CALL_MS = 1_800_000;
const GOODBYE = { by: 'bot', cause: 'NORMAL_CLEARING' } as const;

/** Runs one call. Reports: `started`, captions, `ended`, `result`, in that order, whatever happens in between. */
export function startLiveCall(deps: LiveCallDeps, brief: StartCommand): LiveCall {
  const over = new AbortController();
  let ended: Pick<CallEnding, 'by' | 'cause'> | null = null;
  const end: LiveCall['end'] = ending => {
    if (over.signal.aborted) return;
    ended = ending;
    over.abort();
  };
  const cancel = deps.clock.schedule(MAX_CALL_MS, () => end({ by: 'system', cause: 'ALLOTTED_TIMEOUT' }));
  const handOver = createHandOver({ ...deps, requestId: brief.requestId, over: over.signal });
  const done = run(deps, brief, { over: over.signal, endedBy: () => ended, handOver })
    .catch((error: unknown) => deps.log.error({ err: error, requestId: brief.requestId }, 'a bug has cost a result'))
    .finally(cancel);
  return { end, done, handOver };
}

interface Course {
  over: AbortSignal;
  /** Who ended the call from outside, null while nobody did. */
  endedBy(): Pick<CallEnding, 'by' | 'cause'> | null;
  handOver: HandOver;
}

interface Progress {
  script: RuntimeScript | null;
  steps: readonly WalkStep[];
  variables: ReadonlyMap<string, unknown>;
  how: CallEnding['how'];
}

async function run(deps: LiveCallDeps, brief: StartCommand, course: Course): Promise<void> {
  const { clock, outbox, log } = deps;
  const { requestId } = brief;
  const answeredAt = clock.now();
  outbox.send('started', requestId, event(brief, { kind: 'started', seq: 0, at: answeredAt }));
  const captions = captionsOf(deps, brief);
  const progress = await converse(deps, {
    brief,
    course,
    onSegment: captions.add,
    reportIntervention: interventionReporter(deps, brief, captions.nextSeq),
  }).catch((error: unknown): Progress => {
    log.error({ err: error, requestId }, 'the conversation failed');
    return { script: null, steps: [], variables: new Map(), how: 'failed' };
  });
  const from = course.endedBy();
  const endedAt = clock.now();
  if (from === null || from.by === 'system') await askToHangUp(deps, brief);
  await course.handOver.end();
  const ending: CallEnding = { how: progress.how, ...(from ?? GOODBYE) };
  outbox.send(
    'ended',
    requestId,
    event(brief, {
      kind: 'ended',
      seq: captions.nextSeq(),
      at: endedAt,
      nodeId: captions.lastNodeId(),
      hangupCause: ending.cause,
      ...reasonOf(ending),
    }),
  );
  const record: CallRecord = { brief, answeredAt, endedAt, ending, segments: captions.segments, ...progress };
  outbox.send('result', requestId, resultOf(record));
}

function reasonOf({ how }: CallEnding): { endReason?: 'no_script' } {
  return how === 'no_script' ? { endReason: 'no_script' } : {};
}

interface Talk {
  brief: StartCommand;
  course: Course;
  onSegment: (segment: Segment) => void;
  reportIntervention: WalkScope['reportIntervention'];
}

async function converse(deps: LiveCallDeps, { brief, course, onSegment, reportIntervention }: Talk): Promise<Progress> {
  const { over, handOver } = course;
  const conversation = simulatedConversation({ customer: deps.customerOf(brief), clock: deps.clock, speed: deps.speed, over, onSegment });
  const [opening, script] = await Promise.all([conversation.open('', OPENING_WAIT_MS), loadScript(deps, brief, over)]);
  const known = typeof script === 'string' ? null : script;
  const variables = startVariables(brief, known);
  if (opening !== null && isMailboxGreeting(opening)) return { script: known, steps: [], variables, how: 'voicemail' };
  if (typeof script === 'string') return { script: null, steps: [], variables, how: over.aborted ? 'interrupted' : script };
  return walk(deps, { script, conversation, variables, over, handOver, reportIntervention, understanding: deps.understanding, heard: '' });
}

async function walk(deps: LiveCallDeps, scope: WalkScope): Promise<Progress> {
  const { script, variables } = scope;
  const { end, steps } = await walkScript(scope);
  if (end === 'too_many_steps' || end === 'dead_end')
    deps.log.warn({ scriptId: script.id, version: script.version, end }, 'a script did not come to an end');
  return { script, steps, variables, how: end };
}

/** `no_script`: there is none; `failed`: it cannot be had now. Told in the log and in the result. */
async function loadScript(
  { scripts, log }: LiveCallDeps,
  brief: StartCommand,
  over: AbortSignal,
): Promise<RuntimeScript | 'no_script' | 'failed'> {
  const { scriptId, scriptVersion, requestId } = brief;
  if (scriptId === null) {
    log.warn({ requestId, campaignId: brief.campaignId }, 'the campaign has no script: the call ends at once');
    return 'no_script';
  }
  try {
    return await scripts.get(scriptId, scriptVersion, over);
  } catch (error) {
    log.error({ err: error, requestId, scriptId, scriptVersion }, 'the script is not to be had: the call ends at once');
    return error instanceof UnknownScript ? 'no_script' : 'failed';
  }
}

/** Later ones win: the script's defaults, the campaign's variables, the contact's metadata. Source: OCS 2.6, 2.7 */
function startVariables(brief: StartCommand, script: RuntimeScript | null): Map<string, unknown> {
  const { customerName, variables, metadata } = brief;
  return new Map<string, unknown>(Object.entries({ customerName, ...script?.variables, ...variables, ...metadata }));
}

/** A channel that is gone already is no failure; one that stays is ended by the server after the result (A7). */
async function askToHangUp({ link, log }: LiveCallDeps, { requestId }: StartCommand): Promise<void> {
  for (let attempt = 1; attempt <= HANGUP_ATTEMPTS; attempt++) {
    try {
      await link.request(actorSubject('call', requestId, 'hangup'), { cause: GOODBYE.cause }, HANGUP_TIMEOUT_MS);
      return;
    } catch (error) {
      if (attempt === HANGUP_ATTEMPTS) log.warn({ err: error, requestId }, 'nobody took the request to hang up');
    }
  }
}

/** Source: D9.1, D9.3 */
function interventionReporter(
  { outbox, clock }: LiveCallDeps,
  brief: StartCommand,
  nextSeq: () => number,
): WalkScope['reportIntervention'] {
  return (id, status, { agentId = null, reason = null } = {}) => {
    const seq = nextSeq();
    const report = { kind: 'intervention' as const, seq, at: clock.now(), intervention: { id, status, agentId, reason } };
    outbox.send('intervention', brief.requestId, event(brief, report), seq);
  };
}

/** Numbers what is said, keeps it for the transcript and shows it while the call runs. */
function captionsOf({ link, clock }: LiveCallDeps, brief: StartCommand) {
  const segments: Segment[] = [];
  let seq = 0;
  const nextSeq = () => ++seq;
  return {
    segments,
    nextSeq,
    lastNodeId: () => segments.at(-1)?.nodeId || null,
    add: (segment: Segment) => {
      keepSegment(segments, segment);
      const { nodeId, ...spoken } = segment;
      // A caption is worth nothing later: without the bus it is dropped, and the transcript of the result has it.
      link.publish(brief.captionSubject, event(brief, { kind: 'segment', seq: nextSeq(), at: clock.now(), nodeId, segment: spoken }));
    },
  };
}

/** A later text of an utterance takes the place of the earlier one (D9.1). */
function keepSegment(segments: Segment[], segment: Segment): void {
  const place = segments.findLastIndex(({ segmentId }) => segmentId === segment.segmentId);
  if (place < 0) segments.push(segment);
  else segments[place] = segment;
}

interface CallEventFields {
  kind: 'started' | 'segment' | 'intervention' | 'ended';
  seq: number;
  at: number;
  nodeId?: string | null;
  segment?: Omit<Segment, 'nodeId'>;
  hangupCause?: string;
  endReason?: 'no_script';
  intervention?: { id: string; status: string; agentId: number | null; reason: string | null };
}

/** A progress event on the wire. Source: D9.1 */
function event({ requestId, attemptId }: StartCommand, { at, ...fields }: CallEventFields): object {
  return { requestId, attemptId, at: new Date(at).toISOString(), ...fields };
}
