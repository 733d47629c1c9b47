import { spokenText } from '../phrase.ts';
import type { NodeWalk } from '../walk-scope.ts';
import { DEFAULT_BRANCH } from './branch.ts';

/** Speaks without waiting for a reply. Configuration: `phrase` or `text`. */
export const send: NodeWalk = async (node, { script, conversation, variables }) => {
  await conversation.say(node.id, spokenText(script, node, variables));
  return { branch: DEFAULT_BRANCH };
};
