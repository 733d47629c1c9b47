import { writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '#tools/services/free-port.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { roleProcess } from './child-process.ts';

/** How a receiver behaves. */
export type ReceiverMode =
  | { kind: 'healthy' }
  /** It takes messages, and says so late. */
  | { kind: 'slow'; delayMs: number }
  /** It answers 500. */
  | { kind: 'failing' }
  /** It takes connections and never answers. */
  | { kind: 'silent' };

export const MODE_PATH = '/mode';

/** A message that the receiver has taken, in the order in which it came. */
export interface TakenMessage {
  messageId: string;
  type: string;
  key: string;
  sequence: number;
  /** Of a call. */
  requestId: string | null;
  /** Of a job. */
  jobId: number | null;
  /** Whether its signature is right. */
  isSigned: boolean;
}

/** A receiver of webhooks as a process of its own, which forgets nothing that it has taken. */
export interface ReceiverProcess {
  name: string;
  url: string;
  start(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  setMode(mode: ReceiverMode): Promise<void>;
  /** Gives it the secret by which it knows our messages. */
  trust(secret: string): Promise<void>;
  taken(): Promise<TakenMessage[]>;
  unexpectedEnds: string[];
  close(): Promise<void>;
}

export async function receiverProcess(folder: string): Promise<ReceiverProcess> {
  const port = await findFreePort();
  const [record, secretFile] = [join(folder, 'receiver.jsonl'), join(folder, 'receiver.secret')];
  await writeFile(record, '');
  const args = [String(port), record, secretFile];
  const role = roleProcess({ program: ['test/chaos/receiver-main.ts', ...args], logFile: join(folder, 'receiver.log') });
  const url = `http://127.0.0.1:${port}`;
  const setMode = async (mode: ReceiverMode) => {
    await fetch(`${url}${MODE_PATH}`, { method: 'POST', body: JSON.stringify(mode) });
  };
  return {
    name: 'the receiver',
    url,
    setMode,
    async start() {
      role.start();
      await waitUntil('the receiver to listen', () => setMode({ kind: 'healthy' }).then(() => true));
    },
    kill: () => role.kill(),
    trust: secret => writeFile(secretFile, secret, { mode: 0o600 }),
    taken: () => readRecord(record),
    unexpectedEnds: role.unexpectedEnds,
    close: () => role.stop(),
  };
}

/** A kill may cut the last line of a life: that message was never confirmed. */
async function readRecord(file: string): Promise<TakenMessage[]> {
  const messages: TakenMessage[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.endsWith('}')) messages.push(JSON.parse(line));
  }
  return messages;
}
