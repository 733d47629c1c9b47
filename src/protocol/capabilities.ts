import { z } from 'zod';

/** Source: NLU §2 "Capabilities" */
export const profileListing = z.object({ key: z.string(), labelZh: z.string(), descriptionZh: z.string() });

export type ProfileListing = z.output<typeof profileListing>;

const actionListing = z.object({ defaultProfile: z.string(), profiles: z.array(profileListing) });

/**
 * Payload of `GET /api/v1/nlu/capabilities`: the available actions and profiles, without how they are implemented.
 *
 * Source: NLU §1, §2 "Capabilities", D13.7
 */
export const capabilities = z.object({ actions: z.object({ decision: actionListing, extract: actionListing }) });

export type Capabilities = z.output<typeof capabilities>;
