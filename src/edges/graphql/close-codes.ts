/**
 * Why a socket is closed, beside the codes of graphql-transport-ws (4400 to 4500).
 *
 * Source: D3.2, D3.5; schema/root.graphql tells clients
 */
export const CLOSE = {
  /** The server stops, or begins to: another instance takes the client. */
  goingAway: { code: 1001, reason: 'Going away' },
  /** The session store did not answer. */
  tryAgainLater: { code: 1013, reason: 'Try again later' },
  badRequest: { code: 4400, reason: 'Invalid message' },
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  /** Logged out, changed, disabled or run out. */
  sessionEnded: { code: 4440, reason: 'Session ended' },
  /** Nothing was read for 30 s. */
  stalled: { code: 4441, reason: 'Stalled' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const;

export type Close = (typeof CLOSE)[keyof typeof CLOSE];
