import { openSync, readFileSync, writeSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '#kernel/clock.ts';
import { MODE_PATH, type ReceiverMode, type TakenMessage } from './receiver-process.ts';

/**
 * A receiver of webhooks: `receiver-main.ts PORT RECORD SECRET`. What it takes it has written to the file RECORD before it says so; the secret
 * is in the file SECRET by the first message.
 */
const [port = '', recordFile = '', secretFile = ''] = process.argv.slice(2);
const record = openSync(recordFile, 'a', 0o600);
let mode: ReceiverMode = { kind: 'healthy' };
let hanging: ServerResponse[] = [];

const server = createServer((request, response) => {
  void text(request).then(body => {
    if (request.url === MODE_PATH) changeMode(body, response);
    else receive(body, headersOf(request.headers), response);
  });
});
server.listen(Number(port), '127.0.0.1');

function headersOf(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function changeMode(body: string, response: ServerResponse): void {
  mode = JSON.parse(body);
  for (const each of hanging) each.destroy();
  hanging = [];
  response.writeHead(204).end();
}

function receive(body: string, headers: Record<string, string>, response: ServerResponse): void {
  if (mode.kind === 'failing') response.writeHead(500).end();
  else if (mode.kind === 'silent') hanging.push(response);
  else {
    writeSync(record, `${JSON.stringify(messageOf(body, headers))}\n`);
    systemClock.schedule(mode.kind === 'slow' ? mode.delayMs : 0, () => response.writeHead(204).end());
  }
}

function messageOf(body: string, headers: Record<string, string>): TakenMessage {
  const { type, key, sequence, data } = JSON.parse(body);
  const { requestId = null, jobId = null } = data;
  return { messageId: headers['webhook-id'] ?? '', type, key, sequence, requestId, jobId, isSigned: isSigned(body, headers) };
}

/** By the package of the standard, so that our own code does not judge itself. */
function isSigned(body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(readFileSync(secretFile, 'utf8')).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
