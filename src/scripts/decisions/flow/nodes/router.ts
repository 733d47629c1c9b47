import type { RuntimeNode, RuntimeScript } from '#protocol/runtime-script.ts';
import { wordsHeard } from '../steered.ts';
import type { NodeWalk } from '../walk-scope.ts';
import { DEFAULT_BRANCH } from './branch.ts';

const OTHERWISE = { key: DEFAULT_BRANCH, desc: '其他，以上都不符合' };

/** Selects the branch that matches the customer's last utterance; the NLU service sees only the branches of this node. */
export const router: NodeWalk = async (node, scope) => {
  const { script, understanding, over } = scope;
  const branches = branchesFor(node, script);
  const heard = wordsHeard(scope);
  if (heard === '' || branches.length === 1) return { branch: DEFAULT_BRANCH };
  return { branch: await understanding.decide({ profile: script.nlu.profile ?? null, text: heard, branches }, over) };
};

export function branchesFor({ next }: RuntimeNode, { nlu }: RuntimeScript): RuntimeScript['nlu']['branches'] {
  const offered = nlu.branches.filter(({ key }) => typeof next === 'object' && next !== null && Object.hasOwn(next, key));
  return offered.some(({ key }) => key === DEFAULT_BRANCH) ? offered : [...offered, OTHERWISE];
}
