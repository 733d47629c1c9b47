import type { RuntimeNode, RuntimeScript } from '#contract/nats/runtime-script.ts';
import { DEFAULT_BRANCH } from './nodes/branch.ts';
import { meetAgent } from './meet-agent.ts';
import { NODE_TABLE } from './nodes/node-table.ts';
import type { NodeOutcome, WalkScope } from './walk-scope.ts';

/** Why a walk came to its end; `interrupted`: the call was over before the script was. */
export type WalkEnd = 'end' | 'transfer' | 'interrupted' | 'dead_end' | 'too_many_steps';

export interface WalkStep {
  nodeId: string;
  /** The branch by which it was left, null where the call ended. */
  branch: string | null;
}

/** A script that turns in circles is left after so many nodes. */
export const MAX_STEPS = 200;

/** Walks a script from its entry to an end. */
export async function walkScript(scope: WalkScope): Promise<{ end: WalkEnd; steps: WalkStep[] }> {
  const steps: WalkStep[] = [];
  let nodeId: string | null = scope.script.entryNodeId;
  while (nodeId !== null) {
    if (scope.over.aborted) return { end: 'interrupted', steps };
    if (steps.length >= MAX_STEPS) return { end: 'too_many_steps', steps };
    if (await isTakenOver(scope, nodeId)) return { end: scope.over.aborted ? 'interrupted' : 'transfer', steps };
    const node = nodeOf(scope.script, nodeId);
    const walk = node === null ? undefined : NODE_TABLE[node.type];
    if (node === null || walk === undefined) return { end: 'dead_end', steps };
    const outcome: NodeOutcome = await walk(node, scope);
    const branch = scope.over.aborted || 'finish' in outcome ? null : branchTaken(node, outcome.branch);
    steps.push({ nodeId, branch });
    if (scope.over.aborted) return { end: 'interrupted', steps };
    if ('finish' in outcome) return { end: outcome.finish, steps };
    nodeId = branch === null ? null : targetOf(node, branch);
  }
  return { end: 'dead_end', steps };
}

const HELLO = '请稍候，正在为您转接人工坐席。';
const GO_ON = '抱歉，坐席暂时无法接听，我们继续。';

/** Between two nodes whoever has asked to step in takes the call; when they cannot, the script goes on. Source: A7, D9.3 */
async function isTakenOver(scope: WalkScope, nodeId: string): Promise<boolean> {
  const { conversation, handOver, over } = scope;
  const stepIn = await handOver.consume();
  if (stepIn === null) return false;
  const { interventionId, agentId } = stepIn;
  await conversation.say(nodeId, HELLO);
  const onMet = () => scope.reportIntervention(interventionId, 'active');
  const wish = { groupId: null, agentId, interventionId, reason: '人工介入' };
  const meeting = await meetAgent({ nodeId, conversation, handOver, over, sorry: GO_ON, onMet }, wish);
  scope.reportIntervention(interventionId, meeting === 'none' ? 'failed' : 'ended');
  return meeting !== 'none';
}

function nodeOf({ nodes }: RuntimeScript, id: string): RuntimeNode | null {
  return Object.hasOwn(nodes, id) ? (nodes[id] ?? null) : null;
}

/** The branch as `next` names it: the wanted one, else the default; null when the node leads nowhere. */
function branchTaken({ next }: RuntimeNode, wanted: string): string | null {
  if (next === null) return null;
  if (typeof next === 'string') return DEFAULT_BRANCH;
  if (Object.hasOwn(next, wanted)) return wanted;
  return Object.hasOwn(next, DEFAULT_BRANCH) ? DEFAULT_BRANCH : null;
}

function targetOf({ next }: RuntimeNode, branch: string): string | null {
  if (next === null || typeof next === 'string') return next;
  return next[branch] ?? null;
}
