import { spokenText } from '../phrase.ts';
import type { NodeWalk } from '../walk-scope.ts';

/** The call asks for a person. It ends here with the classification `transfer`; the hand-over to an agent's conference takes place here. */
export const transfer: NodeWalk = async (node, { script, conversation, variables }) => {
  await conversation.say(node.id, spokenText(script, node, variables));
  return { finish: 'transfer' };
};
