import { request } from 'node:http';
import type { NluEngine } from '#nlu/engine.ts';
import { type Listening, listen } from '#nlu/http/listen.ts';
import { nluServer } from '#nlu/http/server.ts';
import { localEngine } from '#nlu/local/engine.ts';
import { type Profile, profileRegistry } from '#nlu/profiles.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { type Log, silentLog } from '#kernel/log.ts';

export interface NluAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

export interface NluRig {
  port: number;
  /** Sends the body and `path` unchanged. */
  send(method: string, path: string, options?: { body?: string | Buffer; headers?: Record<string, string> }): Promise<NluAnswer>;
  /** Posts a value as JSON. */
  post(body: unknown, path?: string): Promise<NluAnswer>;
  listening: Listening;
  close(): Promise<void>;
}

export function profileOf(key: string, engine: NluEngine): Profile {
  return { key, labelZh: key, descriptionZh: key, engine };
}

/** Starts the service on a free port with the real local engine, and with any further profiles. */
export async function startNlu(options: { token?: string; more?: Profile[]; log?: Log; requestTimeoutMs?: number } = {}): Promise<NluRig> {
  const local = localEngine({ knowledge: await readKnowledge(), clock: systemClock, timeZone: 'Asia/Shanghai' });
  const profiles = profileRegistry([profileOf('local', local), ...(options.more ?? [])]);
  const { token = '', log = silentLog, requestTimeoutMs } = options;
  const server = nluServer({ profiles, token, ids: systemIds, log, ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }) });
  const listening = await listen(server, { host: '127.0.0.1', port: 0 }, systemClock);
  const send: NluRig['send'] = (method, path, { body, headers = {} } = {}) => exchange(listening.port, { method, path, headers }, body);
  return {
    port: listening.port,
    send,
    post: (body, path = '/api/v1/nlu') =>
      send('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    listening,
    close: () => listening.drain(1_000),
  };
}

function exchange(
  port: number,
  { method, path, headers }: { method: string; path: string; headers: Record<string, string> },
  body: string | Buffer | undefined,
): Promise<NluAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text === '' ? null : JSON.parse(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
