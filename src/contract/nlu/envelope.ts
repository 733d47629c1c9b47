/**
 * Every response is this or a `NluFailure`.
 *
 * Source: NLU §2 "Envelope"
 */
export interface NluSuccess<Data> {
  ok: true;
  data: Data;
}

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
