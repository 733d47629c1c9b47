/** Types with a parser of their own; any other `type` is treated as `text` [D13.3]. */
export const FIELD_TYPES = ['text', 'number', 'date', 'time', 'datetime', 'phone', 'boolean'] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

/** Source: NLU §2 "Field definition" */
export interface FieldDefinition {
  key: string;
  label: string;
  type: string;
}

/** Body of the action `extract`. Source: NLU §4, D13.4 */
export interface ExtractBody {
  /** Null or absent selects the action's default profile [D13.1]. */
  profile?: string | null | undefined;
  text: string;
  fields: FieldDefinition[];
}

/** Extracted value of a field; null when the utterance does not contain it [D13.3]. */
export type FieldValue = string | number | boolean | null;

/**
 * Payload of an extract response.
 *
 * Shape:  `fields` holds every requested key; `confidence` 0..1; `reason` Chinese
 * Source: NLU §2 "Extract result", D13.3
 */
export interface ExtractResult {
  fields: Record<string, FieldValue>;
  confidence: number;
  reason: string;
}
