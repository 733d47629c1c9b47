import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { attachment } from '#platform/http/attachment.ts';
import type { OpenExport } from './link-export.ts';

/** A client that reads nothing for this long is disconnected, in ms. */
const STALL_MS = 30_000;

interface FileExchange {
  request: IncomingMessage;
  response: ServerResponse;
  signal: AbortSignal;
}

/** Sends the file of an export. A failure after the headers breaks the connection, so that half a file never looks complete. */
export async function sendFile({ request, response, signal }: FileExchange, { stored, fileName, mediaType }: OpenExport): Promise<void> {
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', stored.totalBytes);
  response.setHeader('Content-Disposition', attachment(fileName));
  response.setTimeout(STALL_MS, () => response.destroy());
  try {
    if (request.method === 'HEAD') response.end();
    else await pipeline(Readable.from(stored.read()), response, { signal });
  } finally {
    await stored.close();
  }
}
