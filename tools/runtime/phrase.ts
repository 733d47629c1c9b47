import type { RuntimeNode, RuntimeScript } from '#contract/nats/runtime-script.ts';

/** Longest text spoken at once, characters (D13.4's bound of an utterance). */
const MAX_TEXT_LENGTH = 4_000;

/** A string of a node's configuration, null when it is absent or something else. */
export function textOf(node: RuntimeNode, member: string): string | null {
  const value = node.config[member];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A number of a node's configuration inside its bounds. */
export function numberOf(node: RuntimeNode, member: string, bounds: { min: number; max: number; fallback: number }): number {
  const value = node.config[member];
  if (typeof value !== 'number') return bounds.fallback;
  return Math.min(bounds.max, Math.max(bounds.min, Math.round(value)));
}

/** What a node says: its `text`, else the phrase that it names; variables in `{{…}}` are filled in. Empty when it says nothing. */
export function spokenText(
  script: Pick<RuntimeScript, 'phrases'>,
  node: RuntimeNode,
  variables: ReadonlyMap<string, unknown>,
  member: 'phrase' | 'retryPhrase' = 'phrase',
): string {
  const key = textOf(node, member);
  const phrase = key !== null && Object.hasOwn(script.phrases, key) ? script.phrases[key] : null;
  const text = (member === 'phrase' ? textOf(node, 'text') : null) ?? phrase ?? '';
  return fillIn(text, variables).trim();
}

/** `{{shop}}` → the variable's value; a variable that is not set leaves nothing behind. */
export function fillIn(text: string, variables: ReadonlyMap<string, unknown>): string {
  return text.replaceAll(/\{\{\s*([^{}]{1,64}?)\s*\}\}/g, (_, name: string) => shown(variables.get(name))).slice(0, MAX_TEXT_LENGTH);
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
