/** Results of `bgapi originate` for which the switch creates no channel. */
const LOCAL_REFUSALS: ReadonlySet<string> = new Set([
  'DESTINATION_OUT_OF_ORDER',
  'INVALID_GATEWAY',
  'INVALID_PROFILE',
  'INVALID_URL',
  'GATEWAY_DOWN',
  'USER_NOT_REGISTERED',
  'SUBSCRIBER_ABSENT',
  'CHAN_NOT_IMPLEMENTED',
  'NO_ROUTE_DESTINATION',
  'INVALID_MSG_UNSPECIFIED',
]);

/** Cause reported for `-USAGE:` and for a command that the switch does not accept. */
export const MALFORMED = 'INVALID_MSG_UNSPECIFIED';

/** Result of a finished `originate` job. */
export type JobResult =
  /** A channel was answered (or, without ignore_early_media, has early media). */
  { kind: 'channel'; uuid: string } | { kind: 'failed'; cause: string };

/**
 * Parses the BACKGROUND_JOB body of an originate.
 *
 * Source: test/fixtures/esl/README.md §3
 */
export function parseJobResult(body: string): JobResult {
  const text = body.trim();
  const uuid = /^\+OK (\S+)$/.exec(text)?.[1];
  if (uuid !== undefined) return { kind: 'channel', uuid };
  return { kind: 'failed', cause: /^-ERR ([A-Z0-9_]+)$/.exec(text)?.[1] ?? MALFORMED };
}

/**
 * Whether a failed job without CHANNEL_CREATE proves that no channel existed.
 *
 * Why:    USER_BUSY or NO_ANSWER without CHANNEL_CREATE means that the event was lost: a phone did ring
 * Source: test/fixtures/esl/README.md §7.12
 */
export function isLocalRefusal(cause: string): boolean {
  return LOCAL_REFUSALS.has(cause);
}
