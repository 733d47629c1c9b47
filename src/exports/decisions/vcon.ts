import { z } from 'zod';
import type { JsonObject } from '#kernel/json.ts';
import { maskedValues } from '#phone-numbers/masked-answer.ts';
import { maskedNumber } from '#phone-numbers/phone-number.ts';
import { mediaTypeOf } from '#protocol/result.ts';

/** Version of the syntax. */
const VERSION = '0.0.2';
const VENDOR = 'Callout';
const RESULT_SCHEMA = 'callout.result.v1';

/** The data of one call from which its vCon is made; instants are UTC ms. */
export const recordedCall = z.object({
  requestId: z.string(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  answeredAt: z.number().nullable(),
  durationSeconds: z.number().nullable(),
  outcome: z.string().nullable(),
  /** E.164 where it is known, else as dialled. */
  customerNumber: z.string(),
  customerName: z.string(),
  callerNumber: z.string().nullable(),
  scriptName: z.string().nullable(),
  campaign: z.string().nullable(),
  recording: z.string().nullable(),
  classification: z.string().nullable(),
  intent: z.string().nullable(),
  results: z.record(z.string(), z.json()).nullable(),
  /** Agents that were in the call, in their order. */
  agents: z.array(z.string()),
  segments: z.array(z.object({ speaker: z.string(), text: z.string(), startMs: z.number().nullable(), endMs: z.number().nullable() })),
});

export type RecordedCall = z.output<typeof recordedCall>;

/** Places of the parties; agents follow. */
const CUSTOMER = 0;
const BOT = 1;
const FIRST_AGENT = 2;

/**
 * One call as a vCon: parties, what was recorded and said, and what was found out.
 *
 * Why:    the dialogue of a call without conversation is incomplete and says why; captions are dialogue, as they were captured while the people
 *         spoke
 * Source: draft-ietf-vcon-vcon-container, unsigned form
 */
export function vconOf(call: RecordedCall): JsonObject {
  const dialog = dialogOf(call);
  return {
    vcon: VERSION,
    uuid: call.requestId,
    created_at: instantText(call.createdAt),
    ...(call.campaign === null ? {} : { subject: call.campaign }),
    parties: partiesOf(call),
    dialog,
    analysis: analysisOf(call, dialog.length),
    attachments: [],
  };
}

function partiesOf({ customerNumber, customerName, callerNumber, scriptName, agents }: RecordedCall): JsonObject[] {
  return [
    { tel: customerNumber, ...(customerName === '' ? {} : { name: customerName, validation: 'none' }), role: 'customer' },
    { ...(callerNumber ? { tel: callerNumber } : {}), ...(scriptName ? { name: scriptName } : {}), role: 'bot' },
    ...agents.map((name): JsonObject => ({ name, role: 'agent' })),
  ];
}

function dialogOf(call: RecordedCall): JsonObject[] {
  const start = call.answeredAt ?? call.startedAt ?? call.createdAt;
  const spoken = [...recordingOf(call, start), ...call.segments.map(segment => textOf(call, segment, start))];
  return spoken.length > 0 ? spoken : [incompleteOf(call, start)];
}

function recordingOf({ recording, durationSeconds, agents }: RecordedCall, start: number): JsonObject[] {
  if (recording === null) return [];
  const mediatype = mediaTypeOf(recording);
  return [
    {
      type: 'recording',
      start: instantText(start),
      ...(durationSeconds === null ? {} : { duration: durationSeconds }),
      // The first one has placed the call.
      parties: [BOT, CUSTOMER, ...agents.map((_, index) => FIRST_AGENT + index)],
      ...(mediatype === null ? {} : { mediatype }),
      filename: recording,
    },
  ];
}

function textOf({ agents }: RecordedCall, { speaker, text, startMs, endMs }: RecordedCall['segments'][number], start: number): JsonObject {
  const isAgent = speaker === 'agent' && agents.length > 0;
  return {
    type: 'text',
    start: instantText(start + (startMs ?? 0)),
    ...(startMs === null || endMs === null || endMs < startMs ? {} : { duration: (endMs - startMs) / 1_000 }),
    parties: speaker === 'customer' ? CUSTOMER : isAgent ? FIRST_AGENT : BOT,
    mediatype: 'text/plain',
    encoding: 'none',
    body: text,
  };
}

/** Dispositions that the draft knows, by the outcome of the call. */
const DISPOSITIONS: Readonly<Record<string, string>> = {
  no_answer: 'no-answer',
  power_off: 'no-answer',
  busy: 'busy',
  rejected: 'busy',
  network_busy: 'congestion',
  voicemail: 'voicemail-no-message',
  abandoned: 'hung-up',
  silent: 'hung-up',
  short: 'hung-up',
  completed: 'hung-up',
  opted_out: 'hung-up',
};

function incompleteOf({ outcome }: RecordedCall, start: number): JsonObject {
  return {
    type: 'incomplete',
    start: instantText(start),
    parties: [BOT, CUSTOMER],
    disposition: DISPOSITIONS[outcome ?? ''] ?? 'failed',
  };
}

function analysisOf({ classification, intent, outcome, results }: RecordedCall, dialogs: number): JsonObject[] {
  if (classification === null && intent === null && results === null) return [];
  return [
    {
      type: 'summary',
      dialog: Array.from({ length: dialogs }, (_, index) => index),
      vendor: VENDOR,
      schema: RESULT_SCHEMA,
      mediatype: 'application/json',
      encoding: 'json',
      body: JSON.stringify({ classification, intent, outcome, results: results ?? {} }),
    },
  ];
}

/** The call for readers who may not see whole numbers: the customer's own, and those among the results. */
export function maskedCall(call: RecordedCall, numberKeys: ReadonlySet<string>): RecordedCall {
  const { customerNumber, results } = call;
  return { ...call, customerNumber: maskedNumber(customerNumber), results: results && maskedValues(results, numberKeys) };
}

function instantText(at: number): string {
  return new Date(at).toISOString();
}
