import { z } from 'zod';
import { RUNTIME_EVENT_TYPES } from './runtime-event-types.ts';
import { bigRowId, instant, rowId, stamps } from '#kernel/fields.ts';

export const RUNTIME_EVENT_LEVELS = ['info', 'warning', 'error'] as const;

const TYPES = Object.entries(RUNTIME_EVENT_TYPES)
  .map(([type, text]) => `\`${type}\` ${text}`)
  .join('；');

/** Source: D10, D14.3 */
export const runtimeEvent = z
  .object({
    id: bigRowId,
    level: z.enum(RUNTIME_EVENT_LEVELS),
    type: z.string().meta({ description: `类型，可能增加：${TYPES}` }),
    title: z.string(),
    message: z.string(),
    campaignId: rowId.nullable(),
    attemptId: bigRowId.nullable(),
    cellId: z.string().nullable(),
    detail: z.json(),
    acknowledgedAt: instant.nullable(),
    acknowledgedBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'RuntimeEvent' });

export type RuntimeEvent = z.output<typeof runtimeEvent>;
