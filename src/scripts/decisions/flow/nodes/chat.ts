import type { RuntimeNode } from '#protocol/runtime-script.ts';
import { preparedAnswers } from '../prepared-answers.ts';
import { fillIn, numberOf, spokenText } from '../phrase.ts';
import type { NodeWalk, WalkScope } from '../walk-scope.ts';
import { DEFAULT_BRANCH } from './branch.ts';

const TURNS = { min: 1, max: 20, fallback: 3 };
const LISTEN_MS = { min: 1_000, max: 60_000, fallback: 5_000 };
const STILL_ASKING = [
  { key: 'question', desc: '客户还在提问、询问内容、价格、是谁、怎么办理' },
  { key: DEFAULT_BRANCH, desc: '客户没有提问：同意、拒绝、没空、投诉或其他' },
];

/**
 * Answers questions until the customer has none left. Configuration: `phrase` or `text`, the general answer; `answers`, a list of
 * `{ desc, text }` from which the matching one is chosen; `maxTurns`; `listenMs`. The last utterance is passed on to the next node.
 */
export const chat: NodeWalk = async (node, scope) => {
  const turns = numberOf(node, 'maxTurns', TURNS);
  for (let turn = 0; turn < turns && !scope.over.aborted; turn++) {
    await scope.conversation.say(node.id, await answerTo(node, scope));
    const heard = await scope.conversation.listen(node.id, numberOf(node, 'listenMs', LISTEN_MS));
    scope.heard = heard ?? '';
    if (heard === null || !(await isQuestion(scope, heard))) break;
  }
  return { branch: DEFAULT_BRANCH };
};

async function isQuestion({ script, understanding, over }: WalkScope, heard: string): Promise<boolean> {
  const key = await understanding.decide({ profile: script.nlu.profile ?? null, text: heard, branches: STILL_ASKING }, over);
  return key === 'question';
}

async function answerTo(node: RuntimeNode, { script, understanding, heard, variables, over }: WalkScope): Promise<string> {
  const otherwise = spokenText(script, node, variables);
  const answers = preparedAnswers(node);
  if (answers.length === 0 || heard === '') return otherwise;
  const branches = [
    ...answers.map(({ desc }, index) => ({ key: String(index), desc })),
    { key: DEFAULT_BRANCH, desc: '其他问题，以上都不符合' },
  ];
  const key = await understanding.decide({ profile: script.nlu.profile ?? null, text: heard, branches }, over);
  const chosen = answers[Number(key)];
  return chosen ? fillIn(chosen.text, variables) : otherwise;
}
