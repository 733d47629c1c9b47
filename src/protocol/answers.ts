import { z } from 'zod';

/**
 * Schemas with which a client of the NLU service validates its answers.
 *
 * Why: kept apart from the interfaces, because the service itself does without zod, which would cost it 15 MiB
 */
export const decisionResult = z.object({
  key: z.string(),
  confidence: z.number().min(0).max(1),
  reason: z.string(),
});

export const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const extractResult = z.object({
  fields: z.record(z.string(), fieldValue),
  confidence: z.number().min(0).max(1),
  reason: z.string(),
});
