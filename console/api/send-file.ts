import { i18next } from '../text/text.ts';
import { serverUrl } from './address.ts';
import { RefusedError } from './refused-error.ts';
import { endSession, sessionHeaders } from './session.ts';

/** Status of a session that has ended. */
const UNAUTHENTICATED = 401;

interface Answer {
  data: { file: { id: string } } | null;
  msg: string;
}

/**
 * Sends a file of any length to be imported later, and resolves to its id.
 *
 * Why:    an XMLHttpRequest, because `fetch` tells nothing of how much has been sent
 * Errors: RefusedError with the server's message, or when something in front of the server answers; AbortError
 */
export function sendListFile(file: File, report: (percent: number) => void, signal: AbortSignal): Promise<string> {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.append('file', file);
  return new Promise((resolve, reject) => {
    request.open('POST', serverUrl('api/list-files'));
    for (const [name, value] of Object.entries({ ...sessionHeaders(), 'Accept-Language': i18next.language }))
      request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => report(total === 0 ? 0 : Math.floor((loaded / total) * 100)));
    request.addEventListener('error', () => reject(new RefusedError(i18next.t('notice.unreachable'))));
    request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    request.addEventListener('load', () => {
      const answer = answerOf(request);
      if (request.status === UNAUTHENTICATED) endSession('expired');
      if (answer?.data) resolve(answer.data.file.id);
      else reject(new RefusedError(answer?.msg ?? i18next.t('notice.otherAnswer', { status: request.status })));
    });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

/** Null when it is no JSON: something in front of the server has answered. */
function answerOf({ responseText }: XMLHttpRequest): Answer | null {
  try {
    return JSON.parse(responseText) as Answer;
  } catch {
    return null;
  }
}
