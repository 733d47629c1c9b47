import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Busboy } from 'busboy';
import { CalloutError, invalidArgument, isCalloutError } from '#kernel/errors.ts';
import { FILE_FIELD, malformed, openForm } from './bodies.ts';

/** A file while it arrives. */
export interface ArrivingFile {
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Passes on the one file of a multipart form as it arrives.
 *
 * Why:    the client sends no faster than `take` reads, so that a file of any length takes little memory
 * Units:  `maxFileBytes` bytes
 * Errors: UNSUPPORTED_MEDIA_TYPE; INVALID_ARGUMENT when the form is malformed or has not exactly one file; those of `take`
 */
export async function streamUpload<Taken>(
  request: IncomingMessage,
  maxFileBytes: number,
  take: (file: ArrivingFile) => Promise<Taken>,
): Promise<Taken> {
  const form = openForm(request, maxFileBytes);
  const failing = Promise.withResolvers<never>();
  let taken: Promise<Taken> | null = null;
  form.on('file', (name, stream, { filename }) => {
    if (name !== FILE_FIELD) return failing.reject(invalidArgument(FILE_FIELD, 'emptyButReceived', { received: name }));
    taken = take({ fileName: filename ?? '', bytes: stream });
    taken.catch(failing.reject);
  });
  form.on('filesLimit', () => failing.reject(invalidArgument(FILE_FIELD, 'oneFile')));
  form.on('error', error => failing.reject(malformed(error)));
  await Promise.race([pour(request, form), failing.promise]);
  return Promise.race([taken ?? Promise.reject(invalidArgument(FILE_FIELD, 'empty')), failing.promise]);
}

/** `destroyOnReturn: false` keeps the socket open, so that a refusal can still be sent. */
async function pour(request: IncomingMessage, form: Busboy): Promise<void> {
  const closed = once(form, 'close');
  closed.catch(() => undefined);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (form.destroyed) return;
      if (!form.write(chunk)) await Promise.race([once(form, 'drain'), closed]);
    }
  } catch (error) {
    form.destroy();
    throw isCalloutError(error) ? error : new CalloutError('INVALID_ARGUMENT', '请求体未完整送达', { cause: error });
  }
  form.end();
  await closed;
}
