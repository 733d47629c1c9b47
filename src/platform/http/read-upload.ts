import type { IncomingMessage } from 'node:http';
import busboy, { type Busboy } from 'busboy';
import { CalloutError, invalidArgument, isCalloutError } from '#kernel/errors.ts';

export interface Upload {
  /** Name of the part that is the file. */
  fileField: string;
  fileName: string;
  bytes: Buffer;
  /** Text fields besides the file; the last one of a repeated name. */
  fields: Record<string, string>;
}

const FILE_FIELD = 'file';
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_PARTS = MAX_FIELDS + 2;
const MAX_PART_HEADERS = 20;
/** Largest form without its file, in bytes. */
const MAX_FORM_BYTES = MAX_FIELDS * MAX_FIELD_BYTES + 1024 * 1024;

/**
 * Reads a multipart form with one file.
 *
 * Shape:  with `fileField` null the file may have any name
 * Why:    one bounded buffer per upload; data beyond it is refused, never truncated
 * Units:  `maxFileBytes` bytes
 * Errors: UNSUPPORTED_MEDIA_TYPE; PAYLOAD_TOO_LARGE; INVALID_ARGUMENT when malformed, or not exactly one file
 * Source: OCS 4.7, D6.3
 */
export async function readUpload(request: IncomingMessage, maxFileBytes: number, fileField: string | null = FILE_FIELD): Promise<Upload> {
  const form = openForm(request, maxFileBytes);
  const collected = collect(form, maxFileBytes, fileField);
  await pour(request, form, maxFileBytes + MAX_FORM_BYTES);
  return collected;
}

function openForm(request: IncomingMessage, maxFileBytes: number): Busboy {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new CalloutError('UNSUPPORTED_MEDIA_TYPE', '请求体必须是 multipart/form-data');
  }
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        files: 1,
        // The parser reports a file of exactly the limit as truncated.
        fileSize: maxFileBytes + 1,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        parts: MAX_PARTS,
        headerPairs: MAX_PART_HEADERS,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function collect(form: Busboy, maxFileBytes: number, fileField: string | null): Promise<Upload> {
  const upload: Upload = { fileField: '', fileName: '', bytes: Buffer.alloc(0), fields: {} };
  let fault: CalloutError | null = null;
  let hasFile = false;
  const refuse = (error: CalloutError) => {
    fault ??= error;
  };
  form.on('file', (name, stream, { filename }) => {
    if (fileField !== null && name !== fileField) refuse(invalidArgument(FILE_FIELD, `不能为空，收到的是「${name}」`));
    hasFile = true;
    upload.fileField = name;
    upload.fileName = filename ?? '';
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => refuse(new CalloutError('PAYLOAD_TOO_LARGE', `文件不能超过 ${maxFileBytes / 1024 / 1024} MiB`)));
    stream.on('end', () => {
      upload.bytes = Buffer.concat(chunks);
    });
    // The form reports the same failure.
    stream.on('error', () => undefined);
  });
  form.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (valueTruncated || nameTruncated) refuse(invalidArgument(name, `不能超过 ${MAX_FIELD_BYTES / 1024} KiB`));
    Object.defineProperty(upload.fields, name, { value, enumerable: true, configurable: true, writable: true });
  });
  form.on('filesLimit', () => refuse(invalidArgument(FILE_FIELD, '只能上传一个文件')));
  form.on('fieldsLimit', () => refuse(invalidArgument('表单', `最多 ${MAX_FIELDS} 个字段`)));
  form.on('partsLimit', () => refuse(invalidArgument('表单', `最多 ${MAX_PARTS} 个部分`)));
  const settled = new Promise<Upload>((resolve, reject) => {
    form.on('error', error => reject(fault ?? malformed(error)));
    form.on('close', () => {
      if (fault) reject(fault);
      else if (!hasFile) reject(invalidArgument(FILE_FIELD, '不能为空'));
      else resolve(upload);
    });
  });
  // The caller awaits it only after the last byte; until then this handler keeps a rejection from being unhandled.
  settled.catch(() => undefined);
  return settled;
}

/** `destroyOnReturn: false` keeps the socket open, so that a refusal can still be sent. */
async function pour(request: IncomingMessage, form: Busboy, maxBytes: number): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new CalloutError('PAYLOAD_TOO_LARGE', '请求体过大');
      if (!form.destroyed && !form.writableEnded) form.write(chunk);
    }
  } catch (error) {
    form.destroy();
    throw isCalloutError(error) ? error : new CalloutError('INVALID_ARGUMENT', '请求体未完整送达', { cause: error });
  }
  if (!form.destroyed) form.end();
}

function malformed(error: unknown): CalloutError {
  return new CalloutError('INVALID_ARGUMENT', '参数错误：表单 不是完整的 multipart/form-data', { field: '表单', cause: error });
}
