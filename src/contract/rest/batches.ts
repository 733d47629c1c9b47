import { z } from 'zod';

const instant = z.iso.datetime({ precision: 3 });
const id = z.int().positive();

/** Source: D7.3; OCS 2.8 names the counts */
export const batchRow = z
  .object({
    id,
    campaignId: id,
    status: z.enum(['running', 'completed', 'cancelled', 'failed']),
    source: z.enum(['auto', 'manual']),
    requestedLimit: z.int(),
    effectiveLimit: z.int(),
    requested: z.int(),
    submitted: z.int(),
    failed: z.int(),
    createdBy: id.nullable(),
    finishedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Batch' });

export type BatchRow = z.input<typeof batchRow>;
