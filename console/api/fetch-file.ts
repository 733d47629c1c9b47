import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { RefusedError } from './refused-error.ts';
import { sessionHeaders } from './session.ts';

/** Longest wait for the response headers, in ms. */
const TIMEOUT_MS = 15_000;

/**
 * Downloads a file from the server, such as a recording or a spreadsheet.
 *
 * Why:    neither a link nor an audio element sends the session token, and a token in a URL ends up in logs and browser histories
 * Shape:  `url` as GraphQL returns it, relative to the server's base URL
 * Errors: RefusedError with the server's message; any other error when the server could not be reached
 */
export async function fetchFile(url: string, signal: AbortSignal): Promise<Blob> {
  return (await fetchNamedFile(url, signal)).content;
}

/** Like `fetchFile`, with the name that the server gives the file; its last part of the address where there is none. */
export async function fetchNamedFile(url: string, signal: AbortSignal): Promise<{ name: string; content: Blob }> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(serverUrl(url), {
      headers: { ...sessionHeaders(), 'Accept-Language': i18next.language },
      signal: AbortSignal.any([signal, late.signal]),
    });
    clearTimeout(timer);
    if (response.ok) return { name: nameOf(response) ?? lastPartOf(url), content: await response.blob() };
    const { msg } = (await response.json()) as { msg: string };
    throw new RefusedError(msg, response.headers.get('X-Request-Id'));
  } finally {
    clearTimeout(timer);
  }
}

/** Source: RFC 6266 `filename*` */
function nameOf({ headers }: Response): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(headers.get('Content-Disposition') ?? '') ?? [];
  return encoded === undefined ? null : decodeURIComponent(encoded);
}

function lastPartOf(url: string): string {
  return url.replace(/\?.*$/, '').split('/').at(-1) ?? '';
}
