import { z } from 'zod';
import { itemKey, itemObject, itemText, keyedList, profileName, utteranceText } from './action.ts';

/** Types with a reading of their own; any other `type` is handled as `text` [D13.3]. */
export const FIELD_TYPES = ['text', 'number', 'date', 'time', 'datetime', 'phone', 'boolean'] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

/** Source: NLU §2 "Field definition" */
export const fieldDefinition = z.object({ key: itemKey, label: itemText, type: itemText }, itemObject);

export type FieldDefinition = z.output<typeof fieldDefinition>;

/** Body of the action `extract`. Source: NLU §4, D13.4 */
export const extractBody = z.object({ profile: profileName, text: utteranceText, fields: keyedList(fieldDefinition) });

export type ExtractBody = z.output<typeof extractBody>;

/** What a field yields; null when the utterance does not contain it [D13.3]. */
export type FieldValue = string | number | boolean | null;

/**
 * Payload of an extract response.
 *
 * Shape:  `fields` holds every requested key; `confidence` 0..1; `reason` Chinese
 * Source: NLU §2 "Extract result", D13.3
 */
export const extractResult = z.object({
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  confidence: z.number().min(0).max(1),
  reason: z.string(),
});

export interface ExtractResult {
  fields: Record<string, FieldValue>;
  confidence: number;
  reason: string;
}
