/** Every accepted `action`, in the order of the capability listing. Source: NLU §4 */
export const NLU_ACTIONS = ['decision', 'extract'] as const;

export type NluAction = (typeof NLU_ACTIONS)[number];

/** Header of the internal token. Source: NLU §5 */
export const NLU_TOKEN_HEADER = 'x-callout-internal-token';

/** Source: NLU §2 "Branch" */
export interface Branch {
  key: string;
  desc: string;
  /** What customers have said who meant this branch; 0..200 of 1..200 characters [D13.9]. */
  examples?: readonly string[] | undefined;
}

/** Body of the action `decision`. Source: NLU §4, D13.4 */
export interface DecisionBody {
  /** Null or absent selects the action's default profile [D13.1]. */
  profile?: string | null | undefined;
  text: string;
  branches: Branch[];
}

/**
 * Payload of a decision response.
 *
 * Shape:  `key` is always one of the given keys; `confidence` 0..1; `reason` Chinese
 * Source: NLU §2 "Decision result", D13.2
 */
export interface DecisionResult {
  key: string;
  confidence: number;
  reason: string;
  /** Examples that stand in several branches and therefore teach nothing; absent when there are none [D13.9]. */
  contradictions?: Contradiction[] | undefined;
}

/** A text that is an example of several branches. */
export interface Contradiction {
  text: string;
  keys: string[];
}

/** Failure response; every other response is `{ ok: true, data }`. Source: NLU §2 "Envelope" */
export interface NluFailure {
  ok: false;
  error: string;
}

/**
 * Payload of `GET /health`.
 *
 * Source: NLU §2 "Health data"
 */
export interface NluHealth {
  service: string;
}

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

/**
 * Bounds of the NLU interface.
 *
 * Units:  text in Unicode characters, body in bytes
 * Source: D13.4
 */
export const NLU_LIMITS = {
  maxTextChars: 4_000,
  maxItems: 64,
  /** Examples of one branch, of all branches of a request, and the characters of one. */
  maxExamples: 200,
  maxExamplesTogether: 2_000,
  maxExampleChars: 200,
  /** Contradictions that an answer names. */
  maxContradictions: 20,
  maxBodyBytes: 2 * 1024 * 1024,
} as const;
