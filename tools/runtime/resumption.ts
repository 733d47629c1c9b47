import type { StartCommand } from '#protocol/hand-over.ts';
import type { RuntimeScript } from '#protocol/runtime-script.ts';
import type { WalkStep } from '#scripts/decisions/flow/walk.ts';

/** Spoken to a customer whose runtime was lost, before the script goes on. */
export const PAUSE_APOLOGY = '抱歉，刚才线路有短暂停顿，我们继续。';

/** Position at which to continue a call that another runtime has begun. */
export interface Resumption {
  nodeId: string;
  /** Nodes that the call has visited, according to the captions; the branches between them are unknown. */
  steps: readonly WalkStep[];
}

/** Resumes at the node that spoke last or, if unknown, at the script's beginning; null: the call is new. Source: A4 */
export function resumptionOf({ resuming = false, captions = [] }: StartCommand, script: RuntimeScript): Resumption | null {
  if (!resuming) return null;
  const spoke = captions.flatMap(({ speaker, nodeId }) =>
    speaker === 'bot' && nodeId !== null && Object.hasOwn(script.nodes, nodeId) ? [nodeId] : [],
  );
  const nodeId = spoke.at(-1) ?? script.entryNodeId;
  const before = [...new Set(spoke)].filter(node => node !== nodeId);
  return { nodeId, steps: before.map(node => ({ nodeId: node, branch: null })) };
}
