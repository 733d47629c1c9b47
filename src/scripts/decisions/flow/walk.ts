import type { RuntimeNode, RuntimeScript } from '#protocol/runtime-script.ts';
import { DEFAULT_BRANCH } from './nodes/branch.ts';
import { interruptible } from './interruptible.ts';
import { meetAgent } from './meet-agent.ts';
import { NODE_TABLE } from './nodes/node-table.ts';
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
  const conversation = interruptible(given.conversation, given.handOver);
  const scope: WalkScope = { ...given, conversation };
  const steps: WalkStep[] = [];
  let nodeId: string | null = scope.script.entryNodeId;
  while (nodeId !== null) {
    if (scope.over.aborted) return { end: 'interrupted', steps };
    if (steps.length >= MAX_STEPS) return { end: 'too_many_steps', steps };
    if (await isTakenOver(given, nodeId)) return { end: scope.over.aborted ? 'interrupted' : 'transfer', steps };
    const node = nodeOf(scope.script, nodeId);
    const walk = node === null ? undefined : NODE_TABLE[node.type];
    if (node === null || walk === undefined) return { end: 'dead_end', steps };
    const { heard } = scope;
    scope.onNode?.(nodeId);
    const outcome: NodeOutcome = await walk(node, scope);
    const isUndone = 'yields' in outcome || (conversation.isCut() && !isParting(outcome));
    conversation.resume();
    const branch = scope.over.aborted || isUndone || 'finish' in outcome ? null : branchTaken(node, outcome.branch);
    if (isUndone && !scope.over.aborted) {
      // The loop's next pass hands the call over; if that fails, the node starts again.
      scope.heard = heard;
      continue;
    }
    steps.push({ nodeId, branch });
    if (scope.over.aborted || 'yields' in outcome) return { end: 'interrupted', steps };
    // The end of the last node is a boundary too.
    if ('finish' in outcome) return { end: (await isTakenOver(given, nodeId)) ? 'transfer' : outcome.finish, steps };
    nodeId = branch === null ? null : targetOf(node, branch);
  }
  return { end: 'dead_end', steps };
}

/** A transfer is not repeated for an intervention: an agent has talked to the customer, or none was available. */
function isParting(outcome: NodeOutcome): boolean {
  return 'finish' in outcome && outcome.finish === 'transfer';
}

const HELLO = '请稍候，正在为您转接人工坐席。';
const GO_ON = '抱歉，坐席暂时无法接听，我们继续。';
const NOBODY_CAME = '坐席未能接听';

/** At a boundary the waiting intervention takes the call; when it fails, the script goes on. Source: A7, D9.3 */
async function isTakenOver(scope: WalkScope, nodeId: string): Promise<boolean> {
  const { conversation, handOver, over } = scope;
  const stepIn = await handOver.consume();
  if (stepIn === null) return false;
  const { interventionId, agentId } = stepIn;
  const onMet = (agent: number | null) => scope.reportIntervention(interventionId, 'active', { agentId: agent });
  const request = { groupId: null, agentId, interventionId, reason: '人工介入' };
  const onNobody = (reason: string | null) => scope.reportIntervention(interventionId, 'failed', { reason: reason ?? NOBODY_CAME });
  const meeting = await meetAgent({ nodeId, conversation, handOver, over, hello: HELLO, sorry: GO_ON, onMet, onNobody }, request);
  // When the customer has left, the server ends the intervention itself with the end of the call.
  if (meeting === 'met') scope.reportIntervention(interventionId, 'ended');
  return meeting !== 'none';
}

function nodeOf({ nodes }: RuntimeScript, id: string): RuntimeNode | null {
  return Object.hasOwn(nodes, id) ? (nodes[id] ?? null) : null;
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
