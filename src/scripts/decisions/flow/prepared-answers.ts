import type { RuntimeNode } from '#protocol/runtime-script.ts';

/** Most prepared answers of a node (bound of one NLU request, D13.4). */
const MAX_ANSWERS = 60;

/** Answers of a `chat` node, from which the one that matches the customer's question is chosen; empty for any other node. */
export function preparedAnswers(node: RuntimeNode): { desc: string; text: string }[] {
  const { answers } = node.config;
  if (!Array.isArray(answers)) return [];
  return answers.slice(0, MAX_ANSWERS).flatMap(answer => {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return [];
    const { desc, text } = answer;
    return typeof desc === 'string' && typeof text === 'string' ? [{ desc, text }] : [];
  });
}
