/**
 * Why a socket is closed, beside the codes of graphql-transport-ws (4400 to 4500).
 *
 * Source: D3.2, D3.5; graphql-ws PROTOCOL.md; schema/root.graphql tells clients
 */
export const CLOSE = {
  /** The server stops, or begins to: another instance takes the client. */
  goingAway: { code: 1001, reason: 'Going away' },
  /** The session store did not answer. */
  tryAgainLater: { code: 1013, reason: 'Try again later' },
  /** Of the session or the user. */
  tooManySockets: { code: 1013, reason: 'Too many connections' },
  badRequest: { code: 4400, reason: 'Invalid message' },
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  otherProtocol: { code: 4406, reason: 'Subprotocol not acceptable' },
  silent: { code: 4408, reason: 'Connection initialisation timeout' },
  introducedTwice: { code: 4429, reason: 'Too many initialisation requests' },
  /** Logged out, changed, disabled or run out. */
  sessionEnded: { code: 4440, reason: 'Session ended' },
  /** Nothing was read for 30 s. */
  stalled: { code: 4441, reason: 'Stalled' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const;

export interface Close {
  code: number;
  reason: string;
}

/** RFC 6455 5.5: a control frame holds 125 bytes, two of them the code. */
const MAX_REASON_BYTES = 123;

/** An id that is in use already; one that is too long for a closing frame is left out. */
export function subscriberExists(id: string): Close {
  const reason = `Subscriber for ${id} already exists`;
  return { code: 4409, reason: Buffer.byteLength(reason) > MAX_REASON_BYTES ? 'Subscriber already exists' : reason };
}
