import { z } from 'zod';

const at = z.number();
const text = z.string();
const userId = z.number().int();

const watch = z.object({
  fence: z.number(),
  monitor: z.object({ userId, agentId: z.number().int().nullable(), displayName: text, assignedAt: at }).nullable(),
  retainedBy: z.array(userId).readonly(),
  waitingSince: at.nullable(),
});

/** `people` as in actors/call/people.ts; at most the legs that a conference keeps. */
const person = z.object({
  legUuid: text,
  agentId: z.number().int(),
  userId: userId.nullable(),
  joinedAt: at.nullable(),
  leftAt: at.nullable(),
  hasHandedOver: z.boolean(),
});

const dialEnd = z.object({
  requestId: text,
  outcome: z.enum(['reached', 'failed', 'void']),
  cause: text.nullable(),
  isLocal: z.boolean().optional(),
  isSilent: z.boolean().optional(),
  lineId: z.number().int().nullable().optional(),
});

/**
 * Messages from actors and their registries to actors, by the receiver's type: events of its machine, accepted from servers only.
 *
 * Source: A1.9, A4
 */
export const ACTOR_MESSAGES = {
  agent: z.union([z.object({ type: z.literal('released'), fence: text, at }), z.object({ type: z.literal('released'), holder: text, at })]),
  agentCall: z.discriminatedUnion('type', [
    z.object({ type: z.literal('agentRinging') }),
    z.object({ type: z.literal('agentAnswered'), answeredAt: at.optional() }),
    z.object({ type: z.literal('agentGone'), cause: text, mayStand: z.boolean().optional(), at }),
  ]),
  call: z.discriminatedUnion('type', [
    z.object({ type: z.literal('watchChanged'), watch }),
    z.object({ type: z.literal('runtimeLost'), runtimeId: text.nullable() }),
    z.object({ type: z.literal('legsReported'), people: z.array(person).max(200).readonly() }),
  ]),
  campaign: z.discriminatedUnion('type', [
    z.object({ type: z.literal('callSettled'), at }),
    z.object({ type: z.literal('dialsEnded'), at, ends: z.array(dialEnd).max(500).readonly() }),
  ]),
} as const;

export type ReceiverType = keyof typeof ACTOR_MESSAGES;
export type ActorMessage<Type extends ReceiverType = ReceiverType> = z.output<(typeof ACTOR_MESSAGES)[Type]>;

/** One message to one actor; applied once per command id, however often it arrives. */
export type Envelope = {
  [Type in ReceiverType]: { to: { type: Type; id: string }; event: ActorMessage<Type>; commandId: string };
}[ReceiverType];

/** A message as a machine emits it; its time and command id are added when it is sent. */
export type Outgoing = {
  [Type in ReceiverType]: { to: { type: Type; id: string }; event: WithoutInstant<ActorMessage<Type>> };
}[ReceiverType];

type WithoutInstant<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

/** Outcome of the receiving actor's commit. */
export const delivery = z.enum(['applied', 'ignored', 'duplicate', 'absent']);
export type Delivery = z.output<typeof delivery>;

/** Headers of a message between actors; `traceparent` follows W3C Trace Context. */
export const COMMAND_ID_HEADER = 'Callout-Command-Id';
export const SIGNATURE_HEADER = 'Callout-Signature';
/** UTC ms of the sender's clock. */
export const SENT_AT_HEADER = 'Callout-Sent-At';
export const TRACE_HEADER = 'traceparent';

/** Parts of a message that its signature covers. */
export function signedParts({ subject, commandId, sentAt, event }: Signed): string[] {
  return [subject, commandId, sentAt, JSON.stringify(event)];
}

interface Signed {
  subject: string;
  commandId: string;
  /** Value of the header `Callout-Sent-At`. */
  sentAt: string;
  event: unknown;
}
