import { maySeeNumbers } from '#phone-numbers/shown-number.ts';
import type { GraphContext } from './context.ts';

const NONE: ReadonlySet<string> = new Set();

/** The result fields of a call whose values the viewer may not read as a whole; none for who sees numbers. Source: D3.11 */
export async function hiddenFieldsOf({ app, caller, loaders }: GraphContext, attemptId: number): Promise<ReadonlySet<string>> {
  if (caller !== null && maySeeNumbers(app, caller)) return NONE;
  return new Set((await loaders.numberFields.load(attemptId))?.keys);
}
