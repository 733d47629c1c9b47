/** The nodes of a script as choices: a node without a name is called by its id. */
export function nodeChoices(nodeNames: unknown): { value: string; label: string }[] {
  return Object.entries(Object(nodeNames) as object).map(([value, name]) => ({
    value,
    label: typeof name === 'string' && name !== '' ? name : value,
  }));
}
