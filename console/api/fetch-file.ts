import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { currentSession } from './session.ts';

/** What the server said instead of the file: a message for people, as it came, and the number by which its log tells more. */
export class FileRefused extends Error {
  readonly traceId: string | null;

  constructor(message: string, traceId: string | null) {
    super(message);
    this.traceId = traceId;
  }
}

/** Until the server begins to answer, ms. */
const TIMEOUT_MS = 15_000;

/**
 * A whole file of the server's: the sound of a call, a list for a spreadsheet.
 *
 * Why:    neither a link nor an audio element sends a session, and a session in an address ends up in logs and histories
 * Shape:  `url` as GraphQL tells it, below the server's address
 * Errors: FileRefused with the server's own words; anything else when it could not be reached
 */
export async function fetchFile(url: string, signal: AbortSignal): Promise<Blob> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(serverUrl(url), {
      headers: { Authorization: `Bearer ${currentSession()?.token ?? ''}`, 'Accept-Language': i18next.language },
      signal: AbortSignal.any([signal, late.signal]),
    });
    clearTimeout(timer);
    if (response.ok) return await response.blob();
    const { msg } = (await response.json()) as { msg: string };
    throw new FileRefused(msg, response.headers.get('X-Request-Id'));
  } finally {
    clearTimeout(timer);
  }
}
