import type { StartCommand } from '#protocol/hand-over.ts';
import { type RuntimeNode, type RuntimeScript, runtimeScript } from '#protocol/runtime-script.ts';
import { compileRuntime } from '#scripts/decisions/compile.ts';
import { scriptBody } from '#scripts/routes.ts';
import type { TransferCommand } from '#protocol/transfers.ts';
import type { Customer } from '#tools/runtime/customer/customer.ts';
import { routeByKeywords } from '#scripts/decisions/flow/keyword-router.ts';
import type {
  Conversation,
  HandOver,
  HandOverRequest,
  StepIn,
  TransferNews,
  Understanding,
  WalkScope,
} from '#scripts/decisions/flow/walk-scope.ts';
import example from '../../../../examples/spring-visit.script.json' with { type: 'json' };

/** The demo script as the server delivers it. */
export function exampleScript(): RuntimeScript {
  return runtimeScript.parse(compileRuntime({ ...scriptBody.parse(example), id: 7, version: 2 }));
}

export function aScript(changes: Partial<RuntimeScript> = {}): RuntimeScript {
  const nodes = { start: aNode('start', 'start', {}, 'bye'), bye: aNode('bye', 'end', { text: '再见。' }, null) };
  const nlu = { profile: null, branches: [], fields: [] };
  return { id: 7, version: 2, hash: 'h', entryNodeId: 'start', nodes, variables: {}, phrases: {}, nlu, resultRules: [], ...changes };
}

export function aNode(id: string, type: string, config: RuntimeNode['config'] = {}, next: RuntimeNode['next'] = null): RuntimeNode {
  return { id, type, name: id, config, next };
}

export function anOffer(changes: Partial<StartCommand> = {}): StartCommand {
  const requestId = changes.requestId ?? '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10';
  return {
    requestId,
    attemptId: 11,
    campaignId: 3,
    scriptId: 7,
    scriptVersion: 2,
    captionSubject: `callout.v1.captions.${requestId}`,
    variables: {},
    metadata: {},
    ...changes,
  };
}

/** A customer who says these lines in order, with null for silence, and is silent afterwards. */
export function saying(...lines: (string | null)[]): Customer {
  const rest = [...lines];
  return {
    greet: () => null,
    reply() {
      const text = rest.shift() ?? null;
      return text === null ? null : { text, thinkMs: 500, speechMs: 1_000 };
    },
  };
}

/** `onSay` is called with each sentence while it is spoken. */
export interface ScriptedConversation extends Conversation {
  said: string[];
  waits: number[];
  onSay: (text: string) => unknown;
}

/** A conversation that takes no time; `said` lists what the bot spoke. */
export function scriptedConversation(...heard: (string | null)[]): ScriptedConversation {
  const rest = [...heard];
  const said: string[] = [];
  const waits: number[] = [];
  const conversation: ScriptedConversation = {
    said,
    waits,
    onSay: () => undefined,
    open: () => Promise.resolve(null),
    say(_nodeId, text) {
      if (text !== '') said.push(text);
      conversation.onSay(text);
      return Promise.resolve('');
    },
    listen(_nodeId, timeoutMs) {
      waits.push(timeoutMs);
      return Promise.resolve(rest.shift() ?? null);
    },
    async meet(_nodeId, parted) {
      said.push('（坐席与客户通话）');
      await new Promise<void>(resolve => (parted.aborted ? resolve() : parted.addEventListener('abort', () => resolve(), { once: true })));
    },
  };
  return conversation;
}

/** A fake hand-over that delivers the statuses in `news` once an agent is requested; `refusal`: the request is refused with this reason. */
export function scriptedHandOver(news: readonly (TransferCommand['status'] | TransferNews)[], refusal: string | null = null) {
  const rest = [...news];
  const requests: HandOverRequest[] = [];
  let stepIn: StepIn | null = null;
  let cutting = new AbortController();
  const handOver: HandOver = {
    route(request) {
      requests.push(request);
      return Promise.resolve(refusal);
    },
    next() {
      const status = rest.shift();
      if (typeof status === 'object') return Promise.resolve(status);
      return Promise.resolve(status === undefined ? null : { conferenceId: 1, conferenceName: 'callout-room', status });
    },
    tell: () => undefined,
    end: () => Promise.resolve(),
    asked(interventionId, when) {
      stepIn = { interventionId, agentId: 12 };
      if (when === 'now') cutting.abort();
    },
    withdrawn: () => void (stepIn = null),
    isAsked: () => stepIn !== null,
    cut: () => cutting.signal,
    consume() {
      const taken = stepIn;
      stepIn = null;
      cutting = new AbortController();
      return Promise.resolve(taken);
    },
  };
  return { ...handOver, requests };
}

/** A fake that decides by keywords and extracts `fields`. */
export function keywordUnderstanding(fields: Record<string, string | number> = {}): Understanding {
  return {
    decide: ({ text, branches }) => Promise.resolve(routeByKeywords(text, branches)),
    extract: () => Promise.resolve(fields),
  };
}

export function aScope(changes: Partial<WalkScope> = {}): WalkScope {
  return {
    script: aScript(),
    conversation: scriptedConversation(),
    understanding: keywordUnderstanding(),
    handOver: scriptedHandOver([], '当前没有空闲坐席'),
    reportIntervention: () => undefined,
    over: new AbortController().signal,
    variables: new Map(),
    heard: '',
    takeHint: () => null,
    ...changes,
  };
}
