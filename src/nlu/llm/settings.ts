/** Connection to the model. None of it is ever listed or logged [NLU §1]. */
export interface LlmSettings {
  /** Base URL of an OpenAI-compatible interface, such as `https://host/v1`. */
  url: string;
  /** Empty when no key is sent. */
  apiKey: string;
  model: string;
  /** Overall time limit in ms, including queueing and a retry. */
  timeoutMs: number;
  /** Most concurrent questions; as many more may queue. */
  maxConcurrent: number;
}

/** Most retries of a question, within the same deadline. */
export const MAX_RETRIES = 1;
/** Pause before a retry, in ms. */
export const RETRY_PAUSE_MS = 100;
/** Size limit; a model's answer normally has a few hundred bytes. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** Consecutive failures that open the breaker, and how long it stays open, in ms. */
export const BREAKER_FAILURES = 5;
export const BREAKER_OPEN_MS = 10_000;
