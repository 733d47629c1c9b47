import { z } from 'zod';
import { chooseResult, type ConditionFacts, type ResultRule } from './script.ts';
import { rowId } from '#kernel/fields.ts';
import { DOCUMENTED_AS } from './bus-operation.ts';

const node = z
  .object({
    id: z.string(),
    type: z.string(),
    name: z.string(),
    config: z.record(z.string(), z.json()),
    /** Id of the next node, or ids by branch key with a `default`; null at the end of a path. */
    next: z.union([z.string(), z.record(z.string(), z.string())]).nullable(),
  })
  .meta({ [DOCUMENTED_AS]: 'RuntimeNode' });

const resultRule = z.object({
  /** Condition object, see `protocol/condition.ts`; null always matches. Saved scripts contain only valid conditions. */
  when: z
    .record(z.string(), z.json())
    .meta({ [DOCUMENTED_AS]: 'ScriptCondition' })
    .nullish(),
  classification: z.string().nullable(),
  intent: z.string().nullable(),
});

/**
 * The form of a script that a runtime executes.
 *
 * Source: D11 "Runtime JSON"
 */
export const runtimeScript = z
  .object({
    id: rowId,
    version: z.int().positive(),
    hash: z.string(),
    entryNodeId: z.string(),
    nodes: z.record(z.string(), node),
    variables: z.record(z.string(), z.json()),
    phrases: z.record(z.string(), z.string()),
    nlu: z.object({
      profile: z.string().nullish(),
      branches: z.array(z.object({ key: z.string(), desc: z.string(), examples: z.array(z.string()).optional() })),
      fields: z.array(z.object({ key: z.string(), label: z.string(), type: z.string() })),
    }),
    resultRules: z.array(resultRule),
  })
  .meta({ id: 'RuntimeScript', description: '话术脚本的运行时 JSON（D11）' });

export type RuntimeScript = z.output<typeof runtimeScript>;
export type RuntimeNode = z.output<typeof node>;

/** Classifies a finished call by the first result rule that matches; both members are null when none does. Source: D11 "resultRules[]" */
export function classifyCall(script: RuntimeScript, facts: ConditionFacts): { classification: string | null; intent: string | null } {
  const { classification, intent } = chooseResult(script.resultRules as readonly ResultRule[], facts) ?? {
    classification: null,
    intent: null,
  };
  return { classification, intent };
}
