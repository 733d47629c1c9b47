import { spokenText } from '../phrase.ts';
import type { NodeWalk } from '../walk-scope.ts';

/** Speaks a closing phrase; the call is then hung up. Configuration: `phrase` or `text`. */
export const end: NodeWalk = async (node, { script, conversation, variables }) => {
  await conversation.say(node.id, spokenText(script, node, variables));
  return { finish: 'end' };
};
