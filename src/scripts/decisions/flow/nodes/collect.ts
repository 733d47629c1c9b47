import type { RuntimeNode } from '#protocol/runtime-script.ts';
import { numberOf, spokenText, textOf } from '../phrase.ts';
import type { NodeWalk, WalkScope } from '../walk-scope.ts';
import { DEFAULT_BRANCH, SILENCE_BRANCH } from './branch.ts';

/** Timeout for the first word, in ms. */
const LISTEN_MS = { min: 1_000, max: 60_000, fallback: 6_000 };
/** How often a silent customer is prompted again. */
const RETRIES = { min: 0, max: 5, fallback: 1 };

/**
 * Prompts, listens and stores the answer. Configuration: `phrase` or `text`; `listenMs`; `retries` and `retryPhrase` for silence;
 * `variable` stores the answer as spoken; `fields` names fields of `nlu.fields` to extract from it. On silence the branch is `silence`,
 * else `default`.
 */
export const collect: NodeWalk = async (node, scope) => {
  const heard = await ask(node, scope);
  scope.heard = heard ?? '';
  if (heard === null) return { branch: SILENCE_BRANCH };
  const variable = textOf(node, 'variable');
  if (variable !== null) scope.variables.set(variable, heard);
  await readFields(node, scope, heard);
  return { branch: DEFAULT_BRANCH };
};

async function ask(node: RuntimeNode, { script, conversation, variables, over }: WalkScope): Promise<string | null> {
  const question = spokenText(script, node, variables);
  const again = spokenText(script, node, variables, 'retryPhrase') || question;
  const retries = numberOf(node, 'retries', RETRIES);
  for (let attempt = 0; attempt <= retries && !over.aborted; attempt++) {
    await conversation.say(node.id, attempt === 0 ? question : again);
    const heard = await conversation.listen(node.id, numberOf(node, 'listenMs', LISTEN_MS));
    if (heard !== null) return heard;
  }
  return null;
}

/** A variable whose field the answer does not contain stays unchanged. */
async function readFields(node: RuntimeNode, { script, understanding, variables, over }: WalkScope, heard: string): Promise<void> {
  const wanted = node.config['fields'];
  if (!Array.isArray(wanted)) return;
  const fields = script.nlu.fields.filter(({ key }) => wanted.includes(key));
  if (fields.length === 0) return;
  const found = await understanding.extract({ profile: script.nlu.profile ?? null, text: heard, fields }, over);
  for (const { key } of fields) {
    const value = found[key];
    if (value !== undefined && value !== null) variables.set(key, value);
  }
}
