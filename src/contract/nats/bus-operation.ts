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
  /** With parameters in braces: `callout.v1.captions.{requestId}`. */
  address: string;
  /** `stream`: JetStream; `request`: request/reply; `core`: sent once. */
  carrier: 'stream' | 'request' | 'core';
  /** Who shares the messages, when one member of a group gets each. */
  queue?: string;
  /** Chinese, for the page. */
  summary: string;
  detail: string;
  message: BusMessageContract;
  reply?: BusMessageContract;
}
