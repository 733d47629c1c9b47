import { z } from 'zod';
import { bigRowId, instant, rowId, stamps } from '#kernel/fields.ts';

export const BATCH_STATUSES = ['running', 'completed', 'cancelled', 'failed'] as const;
export const BATCH_SOURCES = ['auto', 'manual'] as const;

/** The dials claimed in one turn of a campaign. Source: D7.3; OCS 2.8 names the counts */
export const batch = z
  .object({
    id: bigRowId,
    campaignId: rowId,
    status: z.enum(BATCH_STATUSES),
    source: z.enum(BATCH_SOURCES),
    requestedLimit: z.int(),
    effectiveLimit: z.int(),
    requested: z.int(),
    submitted: z.int(),
    failed: z.int(),
    createdBy: rowId.nullable(),
    finishedAt: instant.nullable(),
    ...stamps,
  })
  .meta({ id: 'Batch' });

export type Batch = z.output<typeof batch>;
export type BatchStatus = Batch['status'];
