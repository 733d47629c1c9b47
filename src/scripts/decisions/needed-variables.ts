import type { RuntimeScript } from './compile.ts';

/** Placeholder for a variable in a text: `{{shop}}`. */
const PLACE = /\{\{\s*([^{}]{1,64}?)\s*\}\}/g;

/** The contact's name, which is passed with every call besides the variables. */
export const NAME_VARIABLE = 'customerName';

/**
 * The variables that a script uses or declares without a default and does not collect from the customer: campaign or contact must supply them.
 *
 * Shape:  no duplicates, in order of first use
 * Source: D5.6, D11
 */
export function neededVariables(script: Pick<RuntimeScript, 'nodes' | 'variables' | 'phrases' | 'nlu'>): string[] {
  const nodes = Object.values(script.nodes);
  const declared = Object.keys(script.variables).filter(key => script.variables[key] === null);
  const spoken = [...Object.values(script.phrases), ...nodes.flatMap(({ config }) => textsOf(config))].flatMap(placesOf);
  const asked = new Set([
    ...nodes.flatMap(({ config }) => (typeof config['variable'] === 'string' ? [config['variable']] : [])),
    ...script.nlu.fields.map(({ key }) => key),
  ]);
  return [...new Set([...declared, ...spoken])].filter(key => !asked.has(key) && !isFilled(script.variables[key]));
}

/** Most nodes that are named for one variable. */
const MAX_NODES = 3;

/**
 * Names of the nodes that speak a variable, directly or by a phrase.
 *
 * Shape: at most 3, in the order of the script
 */
export function nodesSpeaking(script: Pick<RuntimeScript, 'nodes' | 'phrases'>, variable: string): string[] {
  const speaks = (text: string) => placesOf(text).includes(variable);
  const phrases = new Set(Object.keys(script.phrases).filter(key => speaks(script.phrases[key] ?? '')));
  return Object.values(script.nodes)
    .filter(({ config }) => textsOf(config).some(text => speaks(text) || phrases.has(text)))
    .slice(0, MAX_NODES)
    .map(({ id, name }) => (name === '' ? id : name));
}

/** Whether a variable has a value to speak. */
export function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

export function placesOf(text: string): string[] {
  return Array.from(text.matchAll(PLACE), ([, name]) => name ?? '');
}

/** All texts of a node's configuration, at any depth. */
function textsOf(config: unknown): string[] {
  if (typeof config === 'string') return [config];
  return typeof config === 'object' && config !== null ? Object.values(config).flatMap(textsOf) : [];
}
