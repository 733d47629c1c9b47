import type { RequestedRange, ByteRange } from './byte-range.ts';
import { CalloutError, notFound } from '#kernel/errors.ts';
import type { BeyondRecording, OpenRecording } from './ports-recording-store.ts';

/** Time-out until the web server's response begins, ms. */
const HEAD_TIMEOUT_MS = 5_000;

/**
 * Requests a recording from the web server of a cell.
 *
 * Errors: NOT_FOUND; DOWNSTREAM_TIMEOUT; DOWNSTREAM_INVALID when the response is not a file
 */
export async function openAtServer(
  baseUrl: string,
  name: string,
  { asked, signal }: { asked: RequestedRange | null; signal: AbortSignal },
): Promise<OpenRecording | BeyondRecording> {
  const over = new AbortController();
  const answer = await ask(`${baseUrl.replace(/\/+$/, '')}/${encodeURIComponent(name)}`, asked, AbortSignal.any([signal, over.signal]));
  const close = () => Promise.resolve(over.abort());
  const found = readHead(answer);
  if (found === null || found.part === 'beyond') await close();
  if (found === null)
    throw answer.status === 404 ? notFound('录音') : invalid(new Error(`the recording's server answered ${answer.status}`));
  return found.part === 'beyond' ? { ...found, part: 'beyond' } : { ...found, part: found.part, read: () => bodyOf(answer), close };
}

async function ask(url: string, asked: RequestedRange | null, signal: AbortSignal): Promise<Response> {
  const head = new AbortController();
  const timer = setTimeout(() => head.abort(), HEAD_TIMEOUT_MS);
  try {
    return await fetch(url, {
      headers: { 'Accept-Encoding': 'identity', ...(asked === null ? {} : { Range: headerOf(asked) }) },
      // The configuration defines where recordings are; no other host is contacted.
      redirect: 'error',
      signal: AbortSignal.any([signal, head.signal]),
    });
  } catch (error) {
    if (head.signal.aborted) throw new CalloutError('DOWNSTREAM_TIMEOUT', '录音服务器响应超时', { cause: error });
    throw invalid(error);
  } finally {
    clearTimeout(timer);
  }
}

function headerOf(asked: RequestedRange): string {
  return 'lastBytes' in asked ? `bytes=-${asked.lastBytes}` : `bytes=${asked.first}-${asked.last ?? ''}`;
}

/** Null when the response is not a recording. */
function readHead({ status, headers }: Response): { totalBytes: number; part: ByteRange | 'beyond' | null } | null {
  const [, first = '', last = '', total = ''] =
    /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(headers.get('content-range') ?? '') ?? [];
  const length = Number(headers.get('content-length') ?? 'none');
  if (status === 200 && length > 0) return { totalBytes: length, part: null };
  if (status === 206 && first !== '') {
    const part = { first: Number(first), last: Number(last) };
    return part.first <= part.last && part.last < Number(total) ? { totalBytes: Number(total), part } : null;
  }
  return status === 416 && total !== '' ? { totalBytes: Number(total), part: 'beyond' } : null;
}

async function* bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  for await (const chunk of body ?? []) yield chunk;
}

function invalid(cause: unknown): CalloutError {
  return new CalloutError('DOWNSTREAM_INVALID', '录音服务器不可用或返回异常', { cause });
}
