import { z } from 'zod';
import { CALL_STATUSES } from '#rules/call-status.ts';

export const ATTEMPT_STATUSES = [
  'claimed',
  'dialing',
  'accepted',
  'answered',
  'completed',
  'failed',
  'cancelled',
  'outcome_unknown',
] as const;
export const EMOTION_STATUSES = ['none', 'pending', 'done', 'failed'] as const;
export const HANGUP_PARTIES = ['customer', 'bot', 'agent', 'system'] as const;
export const SPEAKERS = ['bot', 'customer', 'agent'] as const;

const instant = z.iso.datetime({ precision: 3 });
const id = z.int().positive();

export const ringbackDetection = z.object({
  status: z.enum(['ringback', 'early_media', 'answered', 'busy', 'none', 'timeout']),
  detectionSource: z.enum(['switch_event', 'runtime']),
  elapsedMs: z.int(),
});

/** Source: D7.9; OCS 4.16 `recordingUrl` is a short file name */
export const attemptRow = z
  .object({
    id,
    requestId: z.uuid(),
    campaignId: id,
    contactId: id,
    batchId: id.nullable(),
    lineId: id.nullable(),
    callerNumber: z.string().nullable(),
    cellId: z.string().nullable(),
    phoneNumber: z.string(),
    status: z.enum(ATTEMPT_STATUSES),
    callStatus: z.enum(CALL_STATUSES).nullable(),
    hangupCause: z.string().nullable(),
    hangupBy: z.enum(HANGUP_PARTIES).nullable(),
    replyText: z.string(),
    ringbackDetection: ringbackDetection.nullable(),
    scriptId: id.nullable(),
    scriptVersion: id.nullable(),
    startedAt: instant.nullable(),
    answeredAt: instant.nullable(),
    endedAt: instant.nullable(),
    durationSeconds: z.int().nonnegative().nullable(),
    recordingUrl: z.string().nullable(),
    recognizedText: z.string().nullable(),
    classification: z.string().nullable(),
    intent: z.string().nullable(),
    emotionStatus: z.enum(EMOTION_STATUSES),
    emotion: z.json(),
    direction: z.string(),
    payload: z.json(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Attempt' });

export type AttemptRow = z.input<typeof attemptRow>;
