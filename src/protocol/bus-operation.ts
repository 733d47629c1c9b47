import type { z } from 'zod';
import texts from './operation-texts.json' with { type: 'json' };

export interface BusMessageContract {
  /** Name of the schema. */
  name: string;
  schema: z.ZodType;
  example: unknown;
}

/** One operation of the bus, from the server's point of view. */
export interface BusOperation {
  id: string;
  /** `send`: the server sends the message; `receive`: the server receives it. */
  action: 'send' | 'receive';
  /** The other party: a call-flow runtime, a client of users, or another server instance. */
  peer: 'runtime' | 'client' | 'server';
  /** Credentials in the message, besides the connection's NATS user; `either` accepts a session, a proof or the internal token. */
  credential?: 'session' | 'proof' | 'sessionOrProof' | 'either';
  /** Subject with parameters in braces: `callout.v1.captions.{requestId}`. */
  address: string;
  /** `stream`: JetStream; `request`: request/reply; `core`: published once. */
  carrier: 'stream' | 'request' | 'core';
  /** Queue group: each message goes to one of its members. */
  queue?: string;
  /** Chinese text for the page. */
  summary: string;
  detail: string;
  /** English text for the page. */
  en: { summary: string; detail: string };
  message: BusMessageContract;
  reply?: BusMessageContract;
}

export const TO_RUNTIME = { peer: 'runtime', action: 'send', carrier: 'request' } as const;
export const FROM_RUNTIME = { peer: 'runtime', action: 'receive', carrier: 'request', credential: 'proof' } as const;
export const REPORTED = { peer: 'runtime', action: 'receive', carrier: 'stream', credential: 'proof' } as const;
export const BETWEEN_SERVERS = { peer: 'server', action: 'send', carrier: 'core' } as const;

type Row = Omit<BusOperation, 'summary' | 'detail' | 'en'> & { id: keyof typeof texts };

/** Adds the texts for the page, which operation-texts.json holds by operation id. */
export function described(rows: readonly Row[]): BusOperation[] {
  return rows.map(row => ({ ...row, ...texts[row.id] }));
}
