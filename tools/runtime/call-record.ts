import type { StartCommand } from '#protocol/hand-over.ts';
import { classifyCall, type RuntimeScript } from '#protocol/runtime-script.ts';
import type { ResultReportInput } from '#protocol/result.ts';
import type { Segment } from './conversation.ts';
import { wantsNoMoreCalls } from './opt-out.ts';
import type { WalkEnd, WalkStep } from '#scripts/decisions/flow/walk.ts';

/** Bounds of a result (D7.7): entries beyond them are dropped. */
const MAX_TRANSCRIPT_SEGMENTS = 2_000;
const MAX_RECOGNIZED_LENGTH = 20_000;
const MAX_REASON_LENGTH = 500;
const MAX_VALUE_LENGTH = 2_000;
const MAX_VALUES = 50;

type HangupBy = NonNullable<ResultReportInput['hangupBy']>;

/** How a call ended, beside the script. */
export interface CallEnding {
  /** `no_script`: the campaign has none, so nothing could be said to the customer. `failed`: the script could not be loaded or run. */
  how: WalkEnd | 'voicemail' | 'no_script' | 'failed';
  by: HangupBy;
  cause: string;
}

/** Everything known about a call when it ends. Units: instants UTC ms */
export interface CallRecord {
  offer: StartCommand;
  script: RuntimeScript | null;
  answeredAt: number;
  endedAt: number;
  ending: CallEnding;
  steps: readonly WalkStep[];
  variables: ReadonlyMap<string, unknown>;
  segments: readonly Segment[];
  /** File name of the recording; null: there is none. */
  recording: string | null;
}

/**
 * The result of a call in the format of the server.
 *
 * Why:    `startedAt` is left out, because the server knows when it dialled
 * Source: OCS 4.11, D7.7
 */
export function resultOf(record: CallRecord): ResultReportInput {
  const { offer, ending, answeredAt, endedAt, recording } = record;
  const spoken = transcriptOf(record);
  const heard = spoken.filter(({ speaker }) => speaker === 'customer').map(({ text }) => text);
  const optOut = ending.how === 'voicemail' ? undefined : heard.find(wantsNoMoreCalls);
  const callStatus = callStatusOf(ending);
  return {
    requestId: offer.requestId,
    attemptId: offer.attemptId,
    callStatus,
    startedAt: null,
    answeredAt: new Date(answeredAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    durationSeconds: Math.max(0, Math.round((endedAt - answeredAt) / 1_000)),
    hangupBy: ending.by,
    hangupCause: ending.cause,
    ...(ending.how === 'no_script' ? { endReason: 'no_script' as const } : {}),
    ...(recording === null ? {} : { recordingUrl: recording }),
    ...classification(record, callStatus),
    optOut: optOut !== undefined,
    optOutReason: optOut === undefined ? null : `客户表示：${optOut}`.slice(0, MAX_REASON_LENGTH),
    transcript: spoken,
    payload: {
      result: {
        recognizedText: heard.join('\n').slice(0, MAX_RECOGNIZED_LENGTH),
        ending: ending.how,
        steps: record.steps.map(({ nodeId, branch }) => ({ nodeId, branch })),
        variables: collected(record),
        fields: declaredValues(record),
      },
      script: record.script === null ? null : { id: record.script.id, version: record.script.version, hash: record.script.hash },
    },
  };
}

/** Captions of the previous runtime come first; their times are unknown. */
function transcriptOf({ offer, segments }: CallRecord): NonNullable<ResultReportInput['transcript']> {
  const before = (offer.captions ?? []).map(({ speaker, text, nodeId }) => ({ speaker, text, startMs: null, endMs: null, nodeId }));
  const spoken = segments.filter(({ final }) => final);
  const since = spoken.map(({ speaker, text, startMs, endMs, nodeId }) => ({ speaker, text, startMs, endMs, nodeId }));
  return [...before, ...since].slice(0, MAX_TRANSCRIPT_SEGMENTS);
}

function callStatusOf({ how }: CallEnding): 'completed' | 'voicemail' | 'failed' {
  if (how === 'voicemail') return 'voicemail';
  return how === 'no_script' || how === 'failed' ? 'failed' : 'completed';
}

function classification({ script, steps, variables, ending }: CallRecord, callStatus: string) {
  const told =
    script === null
      ? { classification: null, intent: null }
      : classifyCall(script, { callStatus, steps, variables: Object.fromEntries(variables) });
  return ending.how === 'transfer' ? { ...told, classification: told.classification ?? 'transfer' } : told;
}

/** `callbackNote`: what was agreed, when the call keeps a promise. Source: D7.12 */
export function promisedVariables({ callback }: Pick<StartCommand, 'callback'>): Record<string, string> {
  return callback === undefined || callback.note === '' ? {} : { callbackNote: callback.note };
}

/** The collected values that are declared as result fields of the script. Source: D7.17 */
function declaredValues(record: CallRecord): Record<string, string | number | boolean> {
  const declared = new Set(record.script?.nlu.fields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(collected(record)).filter(([key]) => declared.has(key)));
}

/** Variables that were set during the call: values other than the given ones. */
function collected({ offer, script, variables }: CallRecord): Record<string, string | number | boolean> {
  const given: Record<string, unknown> = {
    ...script?.variables,
    ...promisedVariables(offer),
    ...offer.variables,
    ...offer.metadata,
  };
  const learnt: [string, string | number | boolean][] = [];
  for (const [key, value] of variables) {
    if (value === given[key] || key === 'customerName') continue;
    if (typeof value === 'string') learnt.push([key, value.slice(0, MAX_VALUE_LENGTH)]);
    else if (typeof value === 'number' || typeof value === 'boolean') learnt.push([key, value]);
  }
  return Object.fromEntries(learnt.slice(0, MAX_VALUES));
}
