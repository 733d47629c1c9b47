/** A problem that keeps the phone from working. The texts `phone.trouble.<kind>` say what happened and what to do. */
export interface Trouble {
  kind:
    | 'insecure'
    | 'unconfigured'
    | 'unreachable'
    | 'refused'
    | 'deferred'
    | 'failed'
    | 'microphoneUnasked'
    | 'microphoneDenied'
    | 'microphoneMissing'
    | 'microphoneBusy'
    | 'callLost';
  /** Status of SIP, when the switch has answered. */
  status: number | null;
  /** When the phone tries again by itself, in ms of the browser's clock; null: only when the user asks. */
  retryAt: number | null;
  /** Page that shows the switch's certificate, for the user to accept; null when that cannot help. */
  certificateUrl: string | null;
}

/** The subject of a problem: the way to the switch, the microphone, or the call alone. */
export type TroublePart = 'line' | 'microphone' | 'call';

export function partOf({ kind }: Pick<Trouble, 'kind'>): TroublePart {
  if (kind === 'callLost') return 'call';
  return kind.startsWith('microphone') ? 'microphone' : 'line';
}

/** First and longest pause between two attempts to register, in ms. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Share of a pause that is random, so that phones do not all come back at once. */
const JITTER = 0.5;

const REFUSED = [401, 403, 404, 407];
const UNAVAILABLE = 503;

export function troubleOf(kind: Trouble['kind'], more: Partial<Trouble> = {}): Trouble {
  return { kind, status: null, retryAt: null, certificateUrl: null, ...more };
}

/**
 * Reads the switch's answer to a registration.
 *
 * Why:    403 means this phone is refused, so that repeating helps nobody; 503 names the time of the next attempt (D12.8)
 */
export function registrationTrouble(
  answer: { status: number | null; retryAfter: string | null },
  at: { now: number; pauseMs: number },
): Trouble {
  const { status } = answer;
  if (status !== null && REFUSED.includes(status)) return troubleOf('refused', { status });
  const seconds = Number(answer.retryAfter?.match(/^\s*(\d+)/)?.[1] ?? 0);
  const retryAt = at.now + Math.max(seconds * 1000, at.pauseMs);
  return troubleOf(status === UNAVAILABLE ? 'deferred' : 'failed', { status, retryAt });
}

/** Pause before the attempt after `failures` in a row: doubles, and half of it is random. Units: ms; `random` 0..1 */
export function pauseMs(failures: number, random: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(failures - 1, 0), LONGEST_PAUSE_MS);
  return Math.round(longest * (1 - JITTER * random));
}

/**
 * The address whose page lets a browser show and accept the certificate of `server`; null where no certificate is involved.
 *
 * Why:    scripts cannot learn why a WebSocket failed, and a browser asks about a certificate only on a page
 */
export function certificateUrlOf(server: string): string | null {
  return server.startsWith('wss:') ? new URL('/', server.replace(/^wss:/, 'https:')).href : null;
}

/** Name of the error with which `getUserMedia` failed → trouble. */
export function microphoneTrouble(errorName: string): Trouble {
  if (errorName === 'NotAllowedError' || errorName === 'SecurityError') return troubleOf('microphoneDenied');
  if (errorName === 'NotFoundError' || errorName === 'OverconstrainedError') return troubleOf('microphoneMissing');
  return troubleOf('microphoneBusy');
}
