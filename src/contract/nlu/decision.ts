import { z } from 'zod';
import { itemKey, itemObject, itemText, keyedList, profileName, utteranceText } from './action.ts';

/** Source: NLU §2 "Branch" */
export const branch = z.object({ key: itemKey, desc: itemText }, itemObject);

export type Branch = z.output<typeof branch>;

/** Body of the action `decision`. Source: NLU §4, D13.4 */
export const decisionBody = z.object({ profile: profileName, text: utteranceText, branches: keyedList(branch) });

export type DecisionBody = z.output<typeof decisionBody>;

/**
 * Payload of a decision response.
 *
 * Shape:  `key` one of the given keys, always; `confidence` 0..1; `reason` Chinese
 * Source: NLU §2 "Decision result", D13.2
 */
export const decisionResult = z.object({ key: z.string(), confidence: z.number().min(0).max(1), reason: z.string() });

export type DecisionResult = z.output<typeof decisionResult>;
