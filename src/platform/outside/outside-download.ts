import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { guardedLookup, type OutsideRules } from './guarded-lookup.ts';
import { OutsideError } from './outside-error.ts';
import { isOutsideUrl } from './outside-http.ts';

/** Until the first byte of an answer, and between two, ms. */
const SILENCE_MS = 30_000;
const MAX_REDIRECTS = 3;
const [OK, REDIRECTED, REFUSED] = [200, 300, 400] as const;

interface DownloadRules extends OutsideRules {
  signal: AbortSignal;
}

/** A file at an address that somebody has typed. */
export interface Download {
  /** Null when the other side does not say. */
  totalBytes: number | null;
  /** To be read once, to the end or not at all. */
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Opens a file at an address; a redirect is checked like the first one.
 *
 * Shape:  the status of an answer without a file
 * Errors: OutsideError
 */
export async function openDownload(url: string, rules: DownloadRules, redirects = 0): Promise<Download | number> {
  if (!isOutsideUrl(url, rules)) throw new OutsideError('address_private');
  const answer = await send(url, rules);
  const { statusCode = 0, headers } = answer;
  if (statusCode === OK) return { totalBytes: Number(headers['content-length'] ?? 0) || null, bytes: answer };
  answer.destroy();
  const isRedirect = statusCode >= REDIRECTED && statusCode < REFUSED && headers.location !== undefined;
  if (!isRedirect || redirects === MAX_REDIRECTS) return statusCode;
  return openDownload(new URL(headers.location ?? '', url).href, rules, redirects + 1);
}

function send(url: string, { allowPrivate, signal }: DownloadRules): Promise<IncomingMessage> {
  const options = { lookup: guardedLookup({ allowPrivate }), signal, timeout: SILENCE_MS };
  const request = url.startsWith('http:') ? httpRequest(url, options) : httpsRequest(url, options);
  request.on('timeout', () => request.destroy(new OutsideError('timeout')));
  return new Promise((answer, fail) => request.once('response', answer).once('error', fail).end());
}
