/**
 * A call in progress, kept so that the page that comes after a reload, or another tab, can take it back: what identifies its dialog, and what
 * the bar shows of it.
 *
 * Source: RFC 3261 §12
 */
export interface KeptCall {
  callId: string;
  localTag: string;
  remoteTag: string;
  localUri: string;
  remoteUri: string;
  /** The target of requests: the other side's Contact. */
  target: string;
  routes: readonly string[];
  direction: 'incoming' | 'outgoing';
  number: string;
  name: string;
  answeredAt: number;
  isMuted: boolean;
  isHeld: boolean;
  /** When its page was last seen, in ms of the browser's clock. */
  seenAt: number;
}

/** The switch ends a leg that sends nothing for 5 s (D12.7); longer ago there is nothing to take back. In ms. */
const TAKE_BACK_MS = 8_000;

const TEXTS = ['callId', 'localTag', 'remoteTag', 'localUri', 'remoteUri', 'target', 'number', 'name'] as const;

/** The call that can be taken back at `now`; null when there is none, or what was kept is of another version. */
export function readKeptCall(text: string | null, now: number): KeptCall | null {
  if (text === null) return null;
  try {
    const kept: unknown = JSON.parse(text);
    return isKeptCall(kept) && now - kept.seenAt <= TAKE_BACK_MS ? kept : null;
  } catch {
    // Something else wrote to this key.
    return null;
  }
}

function isKeptCall(kept: unknown): kept is KeptCall {
  const row: Partial<Record<keyof KeptCall, unknown>> = Object(kept);
  return TEXTS.every(name => typeof row[name] === 'string') && typeof row.seenAt === 'number' && Array.isArray(row.routes);
}

/**
 * Headers that make an INVITE of the new page a re-INVITE within the kept dialog.
 *
 * Why:    the sequence number must exceed every one that the earlier page used: those began below 10000, seconds since 1970 always exceed them
 * Source: RFC 3261 §12.2.1.1, §14.1
 */
export function reinviteHeaders(kept: KeptCall, now: number): { cseq: number; from: string; to: string; callId: string; routes: string[] } {
  return {
    cseq: Math.floor(now / 1000),
    from: `<${kept.localUri}>;tag=${kept.localTag}`,
    to: `<${kept.remoteUri}>;tag=${kept.remoteTag}`,
    callId: kept.callId,
    routes: [...kept.routes],
  };
}
