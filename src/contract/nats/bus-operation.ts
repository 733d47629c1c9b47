import type { z } from 'zod';

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
  /** What the message carries beside the connection's own user: a session, the internal token, or one of the two. */
  credential?: 'session' | 'internalToken' | 'either';
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
