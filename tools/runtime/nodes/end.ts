import { spokenText } from '../phrase.ts';
import type { NodeWalk } from '../walk-scope.ts';

/** Says goodbye; the call is hung up afterwards. Configuration: `phrase` or `text`. */
export const end: NodeWalk = async (node, { script, conversation, variables }) => {
  await conversation.say(node.id, spokenText(script, node, variables));
  return { finish: 'end' };
};
