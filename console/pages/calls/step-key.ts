/** Groups of the texts for steps of a call. */
export type StepGroup = 'event' | 'timer' | 'decision' | 'state' | 'takeOver';

/** Key of a step's text; a dot would lead into another group. */
export function stepKey(group: StepGroup, name: string): string {
  return `steps.${group}.${name.replaceAll('.', '_')}`;
}
