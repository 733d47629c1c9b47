import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { RefusedError } from './refused-error.ts';
import { currentSession } from './session.ts';

/** Until the server begins to answer, ms. */
const TIMEOUT_MS = 15_000;

/**
 * A whole file of the server's: the sound of a call, a list for a spreadsheet.
 *
 * Why:    neither a link nor an audio element sends a session, and a session in an address ends up in logs and histories
 * Shape:  `url` as GraphQL tells it, below the server's address
 * Errors: RefusedError with the server's own words; anything else when it could not be reached
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
    throw new RefusedError(msg, response.headers.get('X-Request-Id'));
  } finally {
    clearTimeout(timer);
  }
}
