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
  contradictions: z.array(z.object({ text: z.string(), keys: z.array(z.string()) })).optional(),
});

export const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const extractResult = z.object({
  fields: z.record(z.string(), fieldValue),
  confidence: z.number().min(0).max(1),
  reason: z.string(),
});

/** Source: NLU §2 "Capabilities" */
const profileListing = z.object({ key: z.string(), labelZh: z.string(), descriptionZh: z.string() });

export type ProfileListing = z.output<typeof profileListing>;

const actionListing = z.object({ defaultProfile: z.string(), profiles: z.array(profileListing) });

/**
 * Payload of `GET /api/v1/nlu/capabilities`: the available actions and profiles, without how they are implemented.
 *
 * Source: NLU §1, §2 "Capabilities", D13.7
 */
export const capabilities = z.object({ actions: z.object({ decision: actionListing, extract: actionListing }) });

export type Capabilities = z.output<typeof capabilities>;
