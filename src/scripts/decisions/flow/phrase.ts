import type { RuntimeNode, RuntimeScript } from '#protocol/runtime-script.ts';

/** Longest text spoken at once, in characters (the bound of an utterance in D13.4). */
const MAX_TEXT_LENGTH = 4_000;

/** A string in a node's configuration; null when it is absent or of another type. */
export function textOf(node: RuntimeNode, member: string): string | null {
  const value = node.config[member];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A number in a node's configuration, clamped to its bounds. */
export function numberOf(node: RuntimeNode, member: string, bounds: { min: number; max: number; fallback: number }): number {
  const value = node.config[member];
  if (typeof value !== 'number') return bounds.fallback;
  return Math.min(bounds.max, Math.max(bounds.min, Math.round(value)));
}

/** Text that a node speaks: its `text`, else the named phrase, with variables in `{{…}}` filled in. Empty when it speaks nothing. */
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

/** Replaces `{{shop}}` by the variable's value; an unset variable becomes empty. */
export function fillIn(text: string, variables: ReadonlyMap<string, unknown>): string {
  return text.replaceAll(/\{\{\s*([^{}]{1,64}?)\s*\}\}/g, (_, name: string) => shown(variables.get(name))).slice(0, MAX_TEXT_LENGTH);
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
