/**
 * Codes and reasons with which a socket is closed, in addition to those of graphql-transport-ws (4400 to 4500).
 *
 * Source: D3.2, D3.5; graphql-ws PROTOCOL.md; schema/root.graphql documents them for clients
 */
export const CLOSE = {
  /** The server is stopping or draining; another instance takes the client. */
  goingAway: { code: 1001, reason: 'Going away' },
  /** The session store did not answer. */
  tryAgainLater: { code: 1013, reason: 'Try again later' },
  /** The session or the user has too many sockets. */
  tooManySockets: { code: 1013, reason: 'Too many connections' },
  badRequest: { code: 4400, reason: 'Invalid message' },
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  otherProtocol: { code: 4406, reason: 'Subprotocol not acceptable' },
  initTimeout: { code: 4408, reason: 'Connection initialisation timeout' },
  initialisedTwice: { code: 4429, reason: 'Too many initialisation requests' },
  /** The session was logged out, changed or disabled, or has expired. */
  sessionEnded: { code: 4440, reason: 'Session ended' },
  /** The client read nothing for 30 s. */
  stalled: { code: 4441, reason: 'Stalled' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const;

export interface Close {
  code: number;
  reason: string;
}

/** A control frame holds 125 bytes, two of them the code (RFC 6455 5.5). */
const MAX_REASON_BYTES = 123;

/** The operation id is already in use; an id that is too long for a close frame is left out. */
export function subscriberExists(id: string): Close {
  const reason = `Subscriber for ${id} already exists`;
  return { code: 4409, reason: Buffer.byteLength(reason) > MAX_REASON_BYTES ? 'Subscriber already exists' : reason };
}
