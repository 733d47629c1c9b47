import { z } from 'zod';
import { membersOf } from '#kernel/typed.ts';

type Json = Readonly<Record<string, unknown>>;

/** Key in the meta of a schema: the documents refer to the named schema instead, which describes more than is validated. */
export const DOCUMENTED_AS = 'x-documented-as';

/** Name of the only anonymous part: `z.json()`, which refers to itself. */
const JSON_VALUE = 'JsonValue';

/** Converts a schema to JSON Schema; it and each part that it refers to become components of their own. */
export function schemasOf(name: string, schema: z.ZodType): Record<string, Json> {
  const {
    $schema: _dialect,
    definitions = {},
    ...own
  } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const parts = Object.entries(membersOf(definitions)).map(([part, content]) => [partName(part), placed(content)] as const);
  // A schema with an id is emitted among the parts, and the top level only refers to it.
  return { [name]: placed(own), ...Object.fromEntries(parts) };
}

function placed(schema: unknown): Json {
  const { id: _id, ...rest } = membersOf(schema);
  return withRefs(rest) as Json;
}

function partName(part: string): string {
  return part.startsWith('__') ? JSON_VALUE : part;
}

function withRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRefs);
  if (typeof value !== 'object' || value === null) return value;
  const documented: unknown = Reflect.get(value, DOCUMENTED_AS);
  if (typeof documented === 'string') return { $ref: `#/components/schemas/${documented}` };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, isRef(key, member) ? movedRef(member) : withRefs(member)]));
}

function isRef(key: string, member: unknown): member is string {
  return key === '$ref' && typeof member === 'string';
}

function movedRef(ref: string): string {
  return `#/components/schemas/${partName(ref.slice('#/definitions/'.length))}`;
}

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
