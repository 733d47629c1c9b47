import { issue } from '#kernel/problem.ts';
import { z } from 'zod';
import { bigRowId, instantText, rowId, toInstantOrNull } from '#kernel/fields.ts';
import { callOffsetMs, MAX_UTTERANCE_LENGTH, ownership, requestIdText, speaker } from './result.ts';
import { END_REASONS } from './call-status.ts';

/** Source: D9.1 */
export const MAX_PROGRESS_EVENTS = 500;
export const PROGRESS_KINDS = ['started', 'segment', 'intervention', 'ended'] as const;
/** Source: D9.3 */
export const INTERVENTION_STATUSES = ['requested', 'transferring', 'active', 'ended', 'cancelled', 'failed', 'expired'] as const;
const MAX_WORD_LENGTH = 128;
const MAX_REASON_LENGTH = 500;

/** `attempt:<attemptId>` or `request:<requestId>`. Source: OCS 2.13 */
export const callKeyText = z.string().regex(/^(?:attempt:[1-9]\d{0,15}|request:\S{1,64})$/, issue('callKey'));

export const callKeyParam = z.object({ callKey: callKeyText });

const segment = z.object({
  segmentId: z.string().trim().min(1).max(MAX_WORD_LENGTH),
  speaker,
  text: z.string().max(MAX_UTTERANCE_LENGTH),
  final: z.boolean().optional().default(true),
  startMs: callOffsetMs.nullish(),
  endMs: callOffsetMs.nullish(),
});

const intervention = z
  .object({
    id: z.string().trim().min(1).max(MAX_WORD_LENGTH),
    status: z.enum(INTERVENTION_STATUSES),
    agentId: rowId.nullish().meta({ description: '与客户通话的坐席；status 为 active 时必填，除非 isOwnLeg' }),
    isOwnLeg: z.boolean().optional().meta({ description: '接手的人由话术引擎自己接入，不是本系统的坐席' }),
    reason: z.string().max(MAX_REASON_LENGTH).nullish(),
  })
  .superRefine(({ status, agentId, isOwnLeg }, context) => {
    if (status !== 'active' || (agentId ?? null) !== null || isOwnLeg) return;
    context.addIssue({ code: 'custom', path: ['agentId'], message: issue('emptyUnlessOwnLeg') });
  });

const eventFields = {
  requestId: requestIdText.nullish().meta({ description: '经消息总线上报时可省略，以主题为准' }),
  attemptId: bigRowId.nullish(),
  callKey: callKeyText.nullish(),
  ...ownership,
  kind: z.enum(PROGRESS_KINDS),
  seq: z.int().min(0).nullish(),
  at: instantText.nullish(),
  nodeId: z.string().max(MAX_WORD_LENGTH).nullish(),
  segment: segment.nullish(),
  intervention: intervention.nullish(),
  hangupCause: z.string().max(MAX_WORD_LENGTH).nullish(),
  endReason: z.enum(END_REASONS).nullish().meta({ description: '随 ended：no_script 表示没有可用话术；以 result 中的同名字段为准' }),
};

const eventObject = z.object(eventFields);
type EventFields = z.output<typeof eventObject>;

/**
 * An event of a live call, as the call-flow runtime reports it over REST and NATS.
 *
 * Source: OCS 2.13, 4.12, D9.1
 */
export const progressEvent = z
  .object(eventFields)
  .superRefine(requireParts)
  .meta({ id: 'ProgressEvent', description: '通话进展中的一件事' });

export type ProgressEvent = z.output<typeof progressEvent>;

/** One event, or `events` with 1..500 of them. */
export const progressReport = z
  .object({ ...eventFields, kind: eventFields.kind.optional(), events: z.array(progressEvent).min(1).max(MAX_PROGRESS_EVENTS).optional() })
  .superRefine((report, context) => {
    if (report.events === undefined) requireParts(report, context);
  });

export type ProgressReport = z.output<typeof progressReport>;

/** Shape: the reported events in order, 1..500 */
export function progressEvents(report: ProgressReport): ProgressEvent[] {
  const { events, kind } = report;
  if (events !== undefined) return events;
  // `progressReport` requires `kind` when there is no list.
  return kind === undefined ? [] : [{ ...report, kind }];
}

type Located = Omit<EventFields, 'kind'> & { kind?: EventFields['kind'] | undefined };

function requireParts(event: Located, context: z.core.$RefinementCtx): void {
  const missing = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if ((event.requestId ?? event.attemptId ?? event.callKey ?? null) === null)
    missing('requestId', issue('oneOrBoth', { others: ['attemptId', 'callKey'] }));
  if (event.kind === undefined) missing('kind', issue('empty'));
  if (event.kind === 'segment' && !event.segment) missing('segment', issue('empty'));
  if (event.kind === 'intervention' && !event.intervention) missing('intervention', issue('empty'));
}

/**
 * Converts a validated event to the operation's input, with every member present (`Progress` of calls/report-progress.ts).
 *
 * Units:  instants UTC ms; `zone` business time zone
 * Source: OCS 2.13 callKey, D9.1
 */
export function normaliseProgress(event: ProgressEvent, zone: string) {
  const { requestId, attemptId } = locatorOf(event);
  return {
    requestId,
    attemptId,
    kind: event.kind,
    seq: event.seq ?? null,
    epoch: event.epoch ?? null,
    runtimeId: event.runtimeId || null,
    at: toInstantOrNull(event.at, zone),
    nodeId: event.nodeId || null,
    segment: event.segment ? normaliseSegment(event.segment) : null,
    intervention: event.intervention ? normaliseIntervention(event.intervention) : null,
  };
}

function normaliseSegment(spoken: z.output<typeof segment>) {
  const { segmentId, speaker, text, final, startMs, endMs } = spoken;
  return { segmentId, speaker, text, final, startMs: roundedOrNull(startMs), endMs: roundedOrNull(endMs) };
}

function normaliseIntervention({ id, status, agentId, reason }: z.output<typeof intervention>) {
  return { id, status, agentId: agentId ?? null, reason: reason || null };
}

function locatorOf({ requestId, attemptId, callKey }: Located): { requestId: string | null; attemptId: number | null } {
  if (requestId || attemptId || !callKey) return { requestId: requestId ?? null, attemptId: attemptId ?? null };
  const [kind, id = ''] = callKey.split(':', 2);
  return kind === 'attempt' ? { requestId: null, attemptId: Number(id) } : { requestId: id, attemptId: null };
}

function roundedOrNull(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value);
}
