import type { RuntimeScript } from './compile-runtime.ts';

/** How a text names a variable: `{{shop}}`. */
const PLACE = /\{\{\s*([^{}]{1,64}?)\s*\}\}/g;

/** Given with each call beside the variables: the contact's name. */
export const NAME_VARIABLE = 'customerName';

/**
 * The variables that a script speaks or declares, and has neither a default for nor asks the customer for: somebody must give them.
 *
 * Shape:  each once, in the order in which the script names them
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

/** Whether a variable has something to say. */
export function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function placesOf(text: string): string[] {
  return Array.from(text.matchAll(PLACE), ([, name]) => name ?? '');
}

/** Every text of a node's configuration, whatever it is for. */
function textsOf(config: unknown): string[] {
  if (typeof config === 'string') return [config];
  return typeof config === 'object' && config !== null ? Object.values(config).flatMap(textsOf) : [];
}
