import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { bigRowId, boundedJson, instantText, toInstantOrNull } from '#kernel/fields.ts';
import { CALL_STATUSES, END_REASONS, HANGUP_PARTIES, SPEAKERS } from './call-status.ts';

/**
 * The file name under which a recording is stored and shown: the last segment of a path or URL, without query. Null when nothing is left,
 * or when the result would itself be a URL.
 *
 * Why:    the location of recordings may change (`GET /api/media/config`), their names do not
 * Source: OCS 4.16, D7.7
 */
export function recordingName(path: string | null): string | null {
  const name = (path ?? '').replace(/[?#].*$/s, '').replaceAll('\\', '/');
  const last = name.slice(name.lastIndexOf('/') + 1).trim();
  return isFileName(last) ? last : null;
}

/** Audio types that browsers play, by file extension. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  webm: 'audio/webm',
  flac: 'audio/flac',
};

/** Null when the extension is not a known audio type. */
export function mediaTypeOf(name: string): string | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(MEDIA_TYPES, extension) ? (MEDIA_TYPES[extension] ?? null) : null;
}

const MAX_BYTES = 255;

/** A URL scheme that a browser would follow: `javascript:`, `data:`, `blob:`. A time of day starts with a digit and does not match. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** The name becomes part of a URL that browsers fetch: no path traversal and no invisible characters. */
function isFileName(name: string): boolean {
  return name !== '' && !SCHEME.test(name) && !/^\.+$/.test(name) && !/[\p{Cc}\p{Cf}]/u.test(name) && Buffer.byteLength(name) <= MAX_BYTES;
}

/** Largest payload, in bytes of JSON. Source: D7.7 */
const MAX_PAYLOAD_BYTES = 256 * 1024;
const MAX_TRANSCRIPT_SEGMENTS = 2_000;
/** Longest utterance, in characters (NLU input bound, D13.4). */
export const MAX_UTTERANCE_LENGTH = 4_000;
const MAX_WORD_LENGTH = 128;
const MAX_REASON_LENGTH = 500;
export const MAX_CALLBACK_NOTE_LENGTH = 1_000;
const MAX_URL_LENGTH = 2_048;
const MAX_REQUEST_ID_LENGTH = 64;
const MAX_RECOGNIZED_LENGTH = 20_000;
/** Longest call, in s. */
const MAX_CALL_SECONDS = 7 * 86_400;

/** Offset in a call, in ms; fractions are rounded. */
export const callOffsetMs = z
  .number()
  .min(0)
  .max(MAX_CALL_SECONDS * 1_000);
export const speaker = z.enum(SPEAKERS);
/** Accepts any text: one that is not a UUID matches no call, which leads to 404 instead of 400. */
export const requestIdText = z.string().trim().min(1).max(MAX_REQUEST_ID_LENGTH);

const instant = z.union([z.literal(''), instantText]).nullish();
const word = z.string().trim().max(MAX_WORD_LENGTH).nullish();

/** The reporting runtime, and the hand-over by which it owns the call; older runtimes send neither. */
export const ownership = {
  runtimeId: z.string().max(64).nullish().meta({ description: '上报的话术引擎；与拥有该通话的话术引擎不同则被拒绝，被拒绝时用于告知' }),
  epoch: z.int().positive().nullish().meta({ description: 'start 中的 epoch；其他的 epoch（较旧的，或从未交付过的）会被拒绝' }),
};

const transcriptItem = z.object({
  speaker,
  text: z.string().max(MAX_UTTERANCE_LENGTH),
  startMs: callOffsetMs.nullish(),
  endMs: callOffsetMs.nullish(),
  nodeId: word,
});

/** Free but for what the server reads of it. Source: OCS 4.11, D7.17 */
const freePayload = z.json().meta({
  description: '自由内容；result.recognizedText 为客户所说，result.fields 为话术声明的结果字段的值（按 key），result.steps 为走过的节点',
});

const payload = boundedJson(freePayload, MAX_PAYLOAD_BYTES)
  .optional()
  .refine(
    value => value === undefined || Buffer.byteLength(JSON.stringify(value)) <= MAX_PAYLOAD_BYTES,
    issue('tooManyKibibytes', { max: 256 }),
  );

/**
 * Result of a call, as the call-flow runtime reports it over REST and NATS.
 *
 * Source: OCS 4.11, D7.7
 */
export const resultReport = z
  .object({
    requestId: requestIdText.nullish().meta({ description: '经消息总线上报时可省略，以主题为准' }),
    attemptId: bigRowId.nullish(),
    ...ownership,
    callStatus: z.enum(CALL_STATUSES).nullish(),
    startedAt: instant,
    answeredAt: instant,
    endedAt: instant,
    durationSeconds: z.number().min(0).max(MAX_CALL_SECONDS).nullish(),
    hangupCause: word,
    hangupBy: z.enum(HANGUP_PARTIES).nullish(),
    recordingUrl: z.string().max(MAX_URL_LENGTH).nullish(),
    /** The runtime ended the call for lack of a script, which does not count against the contact (D5.6). */
    endReason: z.enum(END_REASONS).nullish().meta({ description: '通话提前结束的原因；no_script：没有可用话术（D5.6）' }),
    classification: word,
    intent: word,
    optOut: z.boolean().nullish(),
    optOutReason: z.string().trim().max(MAX_REASON_LENGTH).nullish(),
    callbackAt: instant.meta({ description: '与客户约定的回访时间：届时优先呼叫（D7.12）；已过去的时间不采用' }),
    callbackUntil: instant.meta({ description: '此后不再回访；空：不限' }),
    callbackNote: z.string().trim().max(MAX_CALLBACK_NOTE_LENGTH).nullish().meta({ description: '约定的内容，随回访交给话术引擎与坐席' }),
    transcript: z.array(transcriptItem).max(MAX_TRANSCRIPT_SEGMENTS).nullish(),
    payload,
  })
  .superRefine((report, context) => {
    const located = (report.requestId ?? report.attemptId ?? null) !== null;
    if (!located) context.addIssue({ code: 'custom', path: ['requestId'], message: issue('oneOrBoth', { others: 'attemptId' }) });
    if (!isTelling(report)) context.addIssue({ code: 'custom', path: ['callStatus'], message: issue('emptyReport') });
  });

/** Like `resultReport`, for NATS, where `callStatus` is required. */
export const busResultReport = resultReport.safeExtend({ callStatus: z.enum(CALL_STATUSES) });

export type ResultReportInput = z.output<typeof resultReport>;

/**
 * Converts a validated report to the operation's input, with every member present (`ResultReport` of outcomes/outcome-store.ts).
 *
 * Units:  instants UTC ms; `zone` business time zone
 * Shape:  `recordingUrl` is the short file name; `recognizedText` is the payload's `result.recognizedText`
 * Source: OCS 4.11, 4.16, D7.7
 */
export function normaliseResult(report: ResultReportInput, zone: string) {
  return {
    requestId: report.requestId ?? null,
    attemptId: report.attemptId ?? null,
    ...(report.epoch ? { epoch: report.epoch } : {}),
    ...(report.runtimeId ? { runtimeId: report.runtimeId } : {}),
    callStatus: report.callStatus ?? null,
    startedAt: toInstantOrNull(report.startedAt, zone),
    answeredAt: toInstantOrNull(report.answeredAt, zone),
    endedAt: toInstantOrNull(report.endedAt, zone),
    durationSeconds: roundedOrNull(report.durationSeconds),
    hangupCause: report.hangupCause || null,
    hangupBy: report.hangupBy ?? null,
    recordingUrl: recordingName(report.recordingUrl ?? null),
    classification: report.classification || null,
    intent: report.intent || null,
    recognizedText: recognizedTextOf(report.payload),
    optOut: report.optOut ?? false,
    optOutReason: report.optOutReason || null,
    ...callbackOf(report, zone),
    transcript: (report.transcript ?? []).map(item => ({
      speaker: item.speaker,
      text: item.text,
      startMs: roundedOrNull(item.startMs),
      endMs: roundedOrNull(item.endMs),
      nodeId: item.nodeId || null,
    })),
    payload: report.payload ?? null,
    ...(report.endReason ? { endReason: report.endReason } : {}),
  };
}

function callbackOf({ callbackAt, callbackUntil, callbackNote }: ResultReportInput, zone: string) {
  const dueAt = toInstantOrNull(callbackAt, zone);
  return dueAt === null ? {} : { callback: { dueAt, until: toInstantOrNull(callbackUntil, zone), note: callbackNote ?? '' } };
}

const IDS = ['requestId', 'attemptId', 'runtimeId', 'epoch'];

/** Whether a result contains anything besides ids. */
function isTelling(report: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(report).some(([member, value]) => !IDS.includes(member) && (value ?? '') !== '');
}

function recognizedTextOf(payload: unknown): string | null {
  const result = memberOf(payload, 'result');
  const text = memberOf(result, 'recognizedText');
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_RECOGNIZED_LENGTH) : null;
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member) ? Reflect.get(value, member) : undefined;
}

function roundedOrNull(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value);
}
