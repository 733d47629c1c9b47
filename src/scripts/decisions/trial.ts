import { z } from 'zod';
import { fieldValue } from '#protocol/nlu-answers.ts';
import type { DecisionBody, ExtractBody, FieldValue } from '#protocol/nlu.ts';
import { classifyCall, type RuntimeScript } from '#protocol/runtime-script.ts';
import { type WalkEnd, walkScript } from './flow/walk.ts';
import type { Conversation, HandOver, WalkScope } from './flow/walk-scope.ts';

/** Most utterances of one trial; a script is walked from its beginning with each. */
export const MAX_SAID = 100;
const MAX_ANSWERS = 400;
/** Most questions that one step of a trial puts to the NLU service. */
const MAX_NEW_QUESTIONS = 20;
const MAX_KEY_LENGTH = 64;

const source = { confidence: z.number().min(0).max(1), reason: z.string().max(2_000), byKeywords: z.boolean() };

const decided = z.object({ kind: z.literal('decided'), key: z.string().max(MAX_KEY_LENGTH), ...source });
const extracted = z.object({ kind: z.literal('extracted'), fields: z.record(z.string().max(MAX_KEY_LENGTH), fieldValue), ...source });

/**
 * The answers of the NLU service in a trial so far, in the order of the questions. It travels with the client, so that a trial is walked
 * anew with each utterance, asks nothing twice and keeps nothing on the server.
 */
export const trialAnswers = z.array(z.discriminatedUnion('kind', [decided, extracted])).max(MAX_ANSWERS);
export type TrialAnswer = z.output<typeof trialAnswers>[number];

/** Answers the NLU questions of a trial. Errors: none; it falls back to keywords as a runtime does */
export interface TrialUnderstanding {
  decide(request: DecisionBody): Promise<Extract<TrialAnswer, { kind: 'decided' }>>;
  extract(request: ExtractBody): Promise<Extract<TrialAnswer, { kind: 'extracted' }>>;
}

export const TRIAL_EVENT_KINDS = ['bot', 'customer', 'silence', 'decision', 'extraction', 'transfer'] as const;

/** One thing that happened in a trial. */
export interface TrialEvent {
  kind: (typeof TRIAL_EVENT_KINDS)[number];
  nodeId: string;
  /** The spoken text, or the extracted values as text. */
  text: string;
  /** Key of the branch that was decided for; an index for a prepared answer. */
  branch: string | null;
  confidence: number | null;
  /** Chinese, from the NLU service. */
  reason: string | null;
  byKeywords: boolean;
}

export const TRIAL_ENDS = ['end', 'transfer', 'dead_end', 'too_many_steps', 'waiting'] as const;

export interface Trial {
  events: readonly TrialEvent[];
  answers: readonly TrialAnswer[];
  /** The node at which the call is, or ended. */
  nodeId: string;
  end: (typeof TRIAL_ENDS)[number];
  variables: Readonly<Record<string, unknown>>;
  classification: string | null;
  intent: string | null;
}

export interface TrialInput {
  script: RuntimeScript;
  /** The customer's utterances so far; null: silence. */
  said: readonly (string | null)[];
  answers: readonly TrialAnswer[];
  /** Variables of campaign and contact. */
  variables: Readonly<Record<string, unknown>>;
}

/**
 * Walks a script with what the customer has said so far, and stops where the customer would speak next.
 *
 * Why: it is the walk of the reference runtime with another conversation, so that a trial cannot differ from a call
 */
export async function runTrial(input: TrialInput, understanding: TrialUnderstanding): Promise<Trial> {
  const { script } = input;
  const stage = createStage(input, understanding);
  const variables = new Map(Object.entries({ ...script.variables, ...input.variables }));
  const { end, steps } = await walkScript({
    script,
    variables,
    heard: '',
    takeHint: () => null,
    reportIntervention: () => undefined,
    ...stage.scope,
  });
  const facts = { callStatus: 'completed', steps, variables: Object.fromEntries(variables) };
  return {
    ...stage.result(),
    end: endOf(end),
    variables: facts.variables,
    ...(end === 'interrupted' ? { classification: null, intent: null } : classifyCall(script, facts)),
  };
}

/** The walk is interrupted where the trial waits for the customer. */
function endOf(end: WalkEnd): Trial['end'] {
  return end === 'interrupted' ? 'waiting' : end;
}

type Stage = Pick<WalkScope, 'conversation' | 'understanding' | 'handOver' | 'over' | 'onNode'>;

/** The surroundings of the walk: a customer who says the typed texts, and answers that are requested once. */
function createStage({ said, answers, script }: TrialInput, ask: TrialUnderstanding): { scope: Stage; result: () => StageResult } {
  const waiting = new AbortController();
  const stage: StageResult = { events: [], answers: [], nodeId: script.entryNodeId };
  const note = (event: Partial<TrialEvent> & Pick<TrialEvent, 'kind'>) =>
    void stage.events.push({ ...NOTHING, nodeId: stage.nodeId, ...event });
  const wait = () => waiting.abort();
  const scope: Stage = {
    over: waiting.signal,
    onNode: nodeId => void (stage.nodeId = nodeId),
    conversation: typedConversation(said, note, wait),
    understanding: recalled({ known: answers, stage, ask, note, wait }),
    handOver: transferTo(note),
  };
  return { scope, result: () => stage };
}

interface StageResult {
  events: TrialEvent[];
  answers: TrialAnswer[];
  nodeId: string;
}

type Note = (event: Partial<TrialEvent> & Pick<TrialEvent, 'kind'>) => void;

const NOTHING = { text: '', branch: null, confidence: null, reason: null, byKeywords: false };

/** The customer says what was typed; where nothing is left, the trial waits. */
function typedConversation(said: readonly (string | null)[], note: Note, wait: () => void): Conversation {
  const left = said.values();
  const listen = (): Promise<string | null> => {
    const { value = null, done } = left.next();
    if (done === true) wait();
    else note(value === null ? { kind: 'silence' } : { kind: 'customer', text: value });
    return Promise.resolve(value);
  };
  const say = (_nodeId: string, text: string): Promise<string> => {
    if (text !== '') note({ kind: 'bot', text });
    return Promise.resolve('');
  };
  return { open: listen, listen, say, meet: () => Promise.resolve() };
}

interface Recalling {
  known: readonly TrialAnswer[];
  stage: StageResult;
  ask: TrialUnderstanding;
  note: Note;
  wait: () => void;
}

/** Answers that are known are not asked for again; from the first that does not fit on, everything is. */
function recalled({ known, stage, ask, note, wait }: Recalling): WalkScope['understanding'] {
  let isFitting = true;
  let asked = 0;
  const next = async <Answer extends TrialAnswer>(fits: (answer: TrialAnswer) => answer is Answer, question: () => Promise<Answer>) => {
    const before = isFitting ? known[stage.answers.length] : undefined;
    isFitting = before !== undefined && fits(before);
    if (!isFitting) asked += 1;
    // A circle of branches must not ask for ever; the customer's next words go on from here.
    if (asked > MAX_NEW_QUESTIONS || stage.answers.length >= MAX_ANSWERS) wait();
    const answer = before !== undefined && fits(before) ? before : await question();
    stage.answers.push(answer);
    return answer;
  };
  return {
    decide: async request => {
      const isOffered = (answer: TrialAnswer) => answer.kind === 'decided' && request.branches.some(({ key }) => key === answer.key);
      const answer = await next(
        (given): given is Decided => isOffered(given),
        () => ask.decide(request),
      );
      note({ kind: 'decision', text: meaningOf(request, answer.key), branch: answer.key, ...sourceOf(answer) });
      return answer.key;
    },
    extract: async request => {
      const answer = await next(
        (given): given is Extracted => given.kind === 'extracted',
        () => ask.extract(request),
      );
      note({ kind: 'extraction', text: valuesOf(request, answer.fields), ...sourceOf(answer) });
      return answer.fields;
    },
  };
}

type Decided = Extract<TrialAnswer, { kind: 'decided' }>;
type Extracted = Extract<TrialAnswer, { kind: 'extracted' }>;

function meaningOf({ branches }: DecisionBody, key: string): string {
  return branches.find(branch => branch.key === key)?.desc ?? '';
}

function valuesOf({ fields }: ExtractBody, values: Readonly<Record<string, FieldValue>>): string {
  return fields.map(({ key, label }) => `${label === '' ? key : label}: ${values[key] ?? '–'}`).join('; ');
}

function sourceOf({ confidence, reason, byKeywords }: TrialAnswer) {
  return { confidence, reason, byKeywords };
}

/** A transfer ends the trial, as if an agent had taken the call. */
function transferTo(note: Note): HandOver {
  return {
    route: ({ reason }) => {
      note({ kind: 'transfer', text: reason });
      return Promise.resolve(null);
    },
    next: () => Promise.resolve(null),
    tell: () => undefined,
    end: () => Promise.resolve(),
    asked: () => undefined,
    withdrawn: () => undefined,
    isAsked: () => false,
    cut: () => new AbortController().signal,
    consume: () => Promise.resolve(null),
  };
}
