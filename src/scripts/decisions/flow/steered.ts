import { DEFAULT_BRANCH } from './nodes/branch.ts';
import { preparedAnswers } from './prepared-answers.ts';
import { fillIn } from './phrase.ts';
import type { Conversation, WalkScope } from './walk-scope.ts';

/** Most sentences from which a hint selects (bound of one NLU request, D13.4). */
const MAX_SENTENCES = 60;

/**
 * A conversation whose next sentence follows a hint: the sentence of the script that the hint asks for comes before what the script says next. A
 * hint that asks for none of them counts as words beside the customer's at the next branch.
 */
export function steered(conversation: Conversation, scope: WalkScope): Conversation {
  return {
    ...conversation,
    async say(nodeId, text, cut) {
      const hint = text === '' ? null : scope.takeHint();
      if (hint !== null) await follow(hint, nodeId, cut);
      return conversation.say(nodeId, text, cut);
    },
  };

  async function follow(hint: string, nodeId: string, cut: AbortSignal | undefined): Promise<void> {
    const sentence = await sentenceFor(hint, scope);
    if (sentence === null) scope.hinted = hint;
    else await conversation.say(nodeId, sentence, cut);
  }
}

/** Words by which the next branch is selected: the customer's and those of a hint that is still to be followed. */
export function wordsHeard(scope: WalkScope): string {
  const hint = scope.hinted ?? scope.takeHint();
  scope.hinted = null;
  return hint === null ? scope.heard : `${scope.heard} ${hint}`.trim();
}

/** The sentence of the script that a hint asks for; null when it asks for none. */
async function sentenceFor(hint: string, { script, understanding, variables, over }: WalkScope): Promise<string | null> {
  const phrases = Object.values(script.phrases).map(text => ({ desc: text, text }));
  const answers = Object.values(script.nodes).flatMap(node => preparedAnswers(node));
  const sentences = [...answers, ...phrases].slice(0, MAX_SENTENCES);
  if (sentences.length === 0) return null;
  const branches = [...sentences.map(({ desc }, index) => ({ key: String(index), desc })), { key: DEFAULT_BRANCH, desc: '以上都不符合' }];
  const key = await understanding.decide({ profile: script.nlu.profile ?? null, text: hint, branches }, over);
  const chosen = sentences[Number(key)];
  return chosen ? fillIn(chosen.text, variables) : null;
}
