/**
 * Answers of commands that their sender may repeat, by the sender's key.
 *
 * Errors: CACHE_UNAVAILABLE
 * Source: D2.8
 */
export interface AnswerStore {
  /** Takes the key for one request that is about to be carried out, unless it is taken. */
  begin(asked: RepeatableRequest): Promise<AnswerTurn>;
  /** Keeps what `begin`'s holder answered; a text that does not fit its owner's room is only known to have been there. */
  finish(asked: RepeatableRequest, token: string, answer: string): Promise<void>;
  /** The request came to nothing: the next one with the key is carried out. */
  abandon(asked: RepeatableRequest, token: string): Promise<void>;
}

export interface RepeatableRequest {
  /** Whose room the answer takes. */
  owner: string;
  /** Hash of owner, method, path and key. */
  id: string;
  /** Hash of what was asked. */
  fingerprint: string;
}

export type AnswerTurn =
  | { kind: 'first'; token: string }
  /** `answer` null: it was too large to be kept. */
  | { kind: 'answered'; answer: string | null }
  | { kind: 'in_flight' }
  | { kind: 'other_request' }
  /** The owner's room is taken until then. */
  | { kind: 'full'; retryAfterSeconds: number };
