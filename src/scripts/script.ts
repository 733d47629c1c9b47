import { z } from 'zod';
import type { JsonObject } from '#kernel/json.ts';
import { flag, rowId, stamps } from '#kernel/fields.ts';

/** A conversation script; its content is stored in immutable versions. Source: D11 */
export const script = z.object({
  id: rowId,
  name: z.string(),
  businessCode: z.string(),
  description: z.string(),
  isEnabled: flag,
  currentVersion: z.int().positive(),
  ...stamps,
});

export type Script = z.output<typeof script>;

/** A script with its current version. */
export interface ScriptVersion extends Script {
  hash: string;
  /** Members: nodes, variables, phrases, nlu, resultRules, entryNodeId. */
  body: JsonObject;
}
