import type { RuntimeNode, RuntimeScript } from '#contract/nats/runtime-script.ts';
import { DEFAULT_BRANCH } from './nodes/branch.ts';
import { interruptible } from './interruptible.ts';
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
    const outcome: NodeOutcome = await walk(node, scope);
    const isUndone = 'yields' in outcome || (conversation.isCut() && !isParting(outcome));
    conversation.resume();
    const branch = scope.over.aborted || isUndone || 'finish' in outcome ? null : branchTaken(node, outcome.branch);
    if (isUndone && !scope.over.aborted) {
      // Whoever steps in takes the call at the head of the loop; when they cannot, the node begins anew.
      scope.heard = heard;
      continue;
    }
    steps.push({ nodeId, branch });
    if (scope.over.aborted || 'yields' in outcome) return { end: 'interrupted', steps };
    // The last word is a boundary too.
    if ('finish' in outcome) return { end: (await isTakenOver(given, nodeId)) ? 'transfer' : outcome.finish, steps };
    nodeId = branch === null ? null : targetOf(node, branch);
  }
  return { end: 'dead_end', steps };
}

/** A person has had the customer, or nobody was free: the transfer is not made again. */
function isParting(outcome: NodeOutcome): boolean {
  return 'finish' in outcome && outcome.finish === 'transfer';
}

const HELLO = '请稍候，正在为您转接人工坐席。';
const GO_ON = '抱歉，坐席暂时无法接听，我们继续。';
const NOBODY_CAME = '坐席未能接听';

/** At a boundary whoever has asked to step in takes the call; when they cannot, the script goes on. Source: A7, D9.3 */
async function isTakenOver(scope: WalkScope, nodeId: string): Promise<boolean> {
  const { conversation, handOver, over } = scope;
  const stepIn = await handOver.consume();
  if (stepIn === null) return false;
  const { interventionId, agentId } = stepIn;
  const onMet = (agent: number | null) => scope.reportIntervention(interventionId, 'active', { agentId: agent });
  const request = { groupId: null, agentId, interventionId, reason: '人工介入' };
  const onNobody = (reason: string | null) => scope.reportIntervention(interventionId, 'failed', { reason: reason ?? NOBODY_CAME });
  const meeting = await meetAgent({ nodeId, conversation, handOver, over, hello: HELLO, sorry: GO_ON, onMet, onNobody }, request);
  // Of a customer who has gone the server knows more than this side: it tells from the call's end.
  if (meeting === 'met') scope.reportIntervention(interventionId, 'ended');
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
