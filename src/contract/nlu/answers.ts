import { z } from 'zod';

/**
 * What a caller of the NLU service checks of its answers.
 *
 * Why: apart from the shapes, because the service itself does without zod, which costs it 15 MiB
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
