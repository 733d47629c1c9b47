/** How the model endpoint is reached. None of it is ever listed or logged [NLU §1]. */
export interface LlmSettings {
  /** Base address of an OpenAI-compatible interface, `https://host/v1`. */
  url: string;
  /** Empty: no key is sent. */
  apiKey: string;
  model: string;
  /** Everything together: waiting for a place, asking, asking again. ms. */
  timeoutMs: number;
  /** Questions at the model at once; as many again may wait. */
  maxConcurrent: number;
}

/** A question is asked again this often at most, within the same deadline. */
export const MAX_RETRIES = 1;
/** Pause before it is asked again, ms. */
export const RETRY_PAUSE_MS = 100;
/** An answer of the model is a few hundred bytes. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** So many failures in a row open the breaker, for this long, ms. */
export const BREAKER_FAILURES = 5;
export const BREAKER_OPEN_MS = 10_000;
