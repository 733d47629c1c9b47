import type { z } from 'zod';
import texts from './operation-texts.json' with { type: 'json' };

export interface BusMessageContract {
  /** Name of the schema. */
  name: string;
  schema: z.ZodType;
  example: unknown;
}

/** One use of the bus, seen from the server. */
export interface BusOperation {
  id: string;
  /** `send`: the server sends it; `receive`: it is sent to the server. */
  action: 'send' | 'receive';
  /** Who is at the other end: a call-flow runtime, a client of people, another instance of the server. */
  peer: 'runtime' | 'client' | 'server';
  /** What the message carries beside the connection's own user: a session, the proof of a program, or one of the two; `either`: a session or the token. */
  credential?: 'session' | 'proof' | 'sessionOrProof' | 'either';
  /** With parameters in braces: `callout.v1.captions.{requestId}`. */
  address: string;
  /** `stream`: JetStream; `request`: request/reply; `core`: sent once. */
  carrier: 'stream' | 'request' | 'core';
  /** Who shares the messages, when one member of a group gets each. */
  queue?: string;
  /** Chinese, for the page. */
  summary: string;
  detail: string;
  /** The same in English. */
  en: { summary: string; detail: string };
  message: BusMessageContract;
  reply?: BusMessageContract;
}

export const TO_RUNTIME = { peer: 'runtime', action: 'send', carrier: 'request' } as const;
export const FROM_RUNTIME = { peer: 'runtime', action: 'receive', carrier: 'request', credential: 'proof' } as const;
export const REPORTED = { peer: 'runtime', action: 'receive', carrier: 'stream', credential: 'proof' } as const;
export const BETWEEN_SERVERS = { peer: 'server', action: 'send', carrier: 'core' } as const;

type Row = Omit<BusOperation, 'summary' | 'detail' | 'en'> & { id: keyof typeof texts };

/** What the page says of an operation stands in operation-texts.json, by its id. */
export function described(rows: readonly Row[]): BusOperation[] {
  return rows.map(row => ({ ...row, ...texts[row.id] }));
}
