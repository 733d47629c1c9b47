import { meetAgent } from '../meet-agent.ts';
import { numberOf, spokenText, textOf } from '../phrase.ts';
import type { NodeWalk } from '../walk-scope.ts';

const NO_ID = { min: 0, max: 2_147_483_647, fallback: 0 };
const SORRY = '抱歉，当前坐席均忙，我们会尽快回电，再见。';

/**
 * Transfers the call: an agent is reserved and called, the customer joins when the agent answers, and captions continue. Without an agent
 * the call ends with an apology. Configuration: `phrase` or `text`; `busyText`; `groupId`; `reason`.
 */
export const transfer: NodeWalk = async (node, { script, conversation, variables, handOver, over }) => {
  const groupId = numberOf(node, 'groupId', NO_ID);
  const request = {
    groupId: groupId === 0 ? null : groupId,
    agentId: null,
    interventionId: null,
    reason: textOf(node, 'reason') ?? node.name,
  };
  await conversation.say(node.id, spokenText(script, node, variables));
  // The user who requested the intervention takes the call; no other agent is requested.
  if (over.aborted || handOver.isAsked()) return { yields: true };
  const meeting = await meetAgent(
    { nodeId: node.id, conversation, handOver, over, hello: '', sorry: textOf(node, 'busyText') ?? SORRY },
    request,
  );
  if (typeof meeting === 'object') return { back: meeting.back };
  return meeting === 'asked' ? { yields: true } : { finish: 'transfer' };
};
