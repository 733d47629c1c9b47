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
