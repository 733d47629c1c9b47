import type { HandBackCommand } from '#protocol/guidance.ts';
import type { RuntimeNode, RuntimeScript } from '#protocol/runtime-script.ts';
import { DEFAULT_BRANCH } from './nodes/branch.ts';
import { interruptible } from './interruptible.ts';
import { meetAgent } from './meet-agent.ts';
import { NODE_TABLE } from './nodes/node-table.ts';
import { steered } from './steered.ts';
import type { NodeOutcome, WalkScope } from './walk-scope.ts';

/** Why a script ended; `interrupted`: the call ended first. */
export type WalkEnd = 'end' | 'transfer' | 'interrupted' | 'dead_end' | 'too_many_steps';

export interface WalkStep {
  nodeId: string;
  /** Branch to the next node; null where the call ended. */
  branch: string | null;
}

/** Bound of a script with a loop, in nodes. */
export const MAX_STEPS = 200;

/** Runs a script from its entry node to its end. */
export async function walkScript(given: WalkScope): Promise<{ end: WalkEnd; steps: WalkStep[] }> {
  const scope: WalkScope = { ...given };
  const conversation = interruptible(steered(given.conversation, scope), given.handOver);
  scope.conversation = conversation;
  const steps: WalkStep[] = [];
  let nodeId: string | null = scope.script.entryNodeId;
  while (nodeId !== null) {
    if (scope.over.aborted) return { end: 'interrupted', steps };
    if (steps.length >= MAX_STEPS) return { end: 'too_many_steps', steps };
    const taken = await takeOver(given, nodeId);
    if (taken === 'parted') return { end: scope.over.aborted ? 'interrupted' : 'transfer', steps };
    // After a hand-back the script continues at the named node, else where it was.
    if (typeof taken === 'object') nodeId = placeOf(scope, taken.back) ?? nodeId;
    const node = nodeOf(scope.script, nodeId);
    const walk = node === null ? undefined : NODE_TABLE[node.type];
    if (node === null || walk === undefined) return { end: 'dead_end', steps };
    const { heard } = scope;
    scope.onNode?.(nodeId);
    const outcome: NodeOutcome = await walk(node, scope);
    const isUndone = 'yields' in outcome || (conversation.isCut() && !isParting(outcome));
    conversation.resume();
    if (isUndone && !scope.over.aborted) {
      // The loop's next pass hands the call over; if that fails, the node starts again.
      scope.heard = heard;
      continue;
    }
    const branch = scope.over.aborted || isUndone ? null : branchOf(node, outcome);
    steps.push({ nodeId, branch });
    if (scope.over.aborted || 'yields' in outcome) return { end: 'interrupted', steps };
    const next = await nextPlace(scope, given, { node, branch, outcome });
    if (typeof next === 'object') return { ...next, steps };
    nodeId = next;
  }
  return { end: 'dead_end', steps };
}

interface Walked {
  node: RuntimeNode;
  branch: string | null;
  outcome: NodeOutcome;
}

/** The node that follows, or how the script ended. */
async function nextPlace(scope: WalkScope, given: WalkScope, { node, branch, outcome }: Walked): Promise<string | { end: WalkEnd }> {
  if ('finish' in outcome) return afterLastNode(given, node, outcome.finish);
  const next = branch === null ? null : targetOf(node, branch);
  if ('back' in outcome) return placeOf(scope, outcome.back) ?? next ?? { end: 'end' };
  return next ?? { end: 'dead_end' };
}

/** The end of the last node is a boundary too. */
async function afterLastNode(given: WalkScope, { id }: RuntimeNode, finish: 'end' | 'transfer'): Promise<string | { end: WalkEnd }> {
  const taken = await takeOver(given, id);
  if (typeof taken === 'object') return placeOf(given, taken.back) ?? { end: finish };
  return { end: taken === 'parted' ? 'transfer' : finish };
}

/** The node at which an agent has the script go on, with what was agreed as the variable `agreed`; null when it names none. */
function placeOf({ script, variables }: WalkScope, { nodeId = null, text }: HandBackCommand): string | null {
  variables.set('agreed', text);
  return nodeId !== null && nodeOf(script, nodeId) !== null ? nodeId : null;
}

/** A transfer is not repeated for an intervention: an agent has talked to the customer, or none was available. */
function isParting(outcome: NodeOutcome): boolean {
  return 'back' in outcome || ('finish' in outcome && outcome.finish === 'transfer');
}

const HELLO = '请稍候，正在为您转接人工坐席。';
const GO_ON = '抱歉，坐席暂时无法接听，我们继续。';
const NOBODY_CAME = '坐席未能接听';
const HANDED_BACK = '已交还给机器人';

/** `parted`: an agent has had the customer, or the customer has left. `none`: the script goes on. */
type TakenOver = 'parted' | 'none' | { back: HandBackCommand };

/** At a boundary the waiting intervention takes the call; when it fails, the script goes on. Source: A7, D9.3 */
async function takeOver(scope: WalkScope, nodeId: string): Promise<TakenOver> {
  const { conversation, handOver, over } = scope;
  const stepIn = await handOver.consume();
  if (stepIn === null) return 'none';
  const { interventionId, agentId } = stepIn;
  const onMet = (agent: number | null) => scope.reportIntervention(interventionId, 'active', { agentId: agent });
  const request = { groupId: null, agentId, interventionId, reason: '人工介入' };
  const onNobody = (reason: string | null) => scope.reportIntervention(interventionId, 'failed', { reason: reason ?? NOBODY_CAME });
  const meeting = await meetAgent({ nodeId, conversation, handOver, over, hello: HELLO, sorry: GO_ON, onMet, onNobody }, request);
  // When the customer has left, the server ends the intervention itself with the end of the call.
  if (meeting === 'met') scope.reportIntervention(interventionId, 'ended');
  if (typeof meeting === 'object') {
    scope.reportIntervention(interventionId, 'ended', { reason: HANDED_BACK });
    return meeting;
  }
  return meeting === 'none' ? 'none' : 'parted';
}

function nodeOf({ nodes }: RuntimeScript, id: string): RuntimeNode | null {
  return Object.hasOwn(nodes, id) ? (nodes[id] ?? null) : null;
}

/** The branch that leads on from a node; null where the call ended. */
function branchOf(node: RuntimeNode, outcome: NodeOutcome): string | null {
  if ('branch' in outcome) return branchTaken(node, outcome.branch);
  return 'back' in outcome ? branchTaken(node, DEFAULT_BRANCH) : null;
}

/** The branch that `next` has: the wanted one, else the default; null when the node leads nowhere. */
export function branchTaken({ next }: RuntimeNode, wanted: string): string | null {
  if (next === null) return null;
  if (typeof next === 'string') return DEFAULT_BRANCH;
  if (Object.hasOwn(next, wanted)) return wanted;
  return Object.hasOwn(next, DEFAULT_BRANCH) ? DEFAULT_BRANCH : null;
}

function targetOf({ next }: RuntimeNode, branch: string): string | null {
  if (next === null || typeof next === 'string') return next;
  return next[branch] ?? null;
}
