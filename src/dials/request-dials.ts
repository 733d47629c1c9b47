import { type CampaignsApp, updateCampaign } from '#campaigns/change-campaigns.ts';
import type { Caller } from '#kernel/caller.ts';
import { isCalloutError } from '#kernel/errors.ts';
import type { z } from 'zod';
import type { newDial, PlacedDials } from './dial.ts';
import { type PlaceApp, placeDials } from './place-dials.ts';

/**
 * Adds dials to a campaign, and lets one that has completed run again for them.
 *
 * Why:    a user has started it, and it completed only because nobody was left to call. Where others wait in it, as after an import, or a user
 *         has paused it, a start would also call those other contacts: the answer says that the dials wait
 * Errors: those of `placeDials`
 * Source: D7.15
 */
export async function requestDials(
  app: PlaceApp & CampaignsApp,
  caller: Caller,
  campaignId: number,
  given: readonly z.output<typeof newDial>[],
): Promise<PlacedDials> {
  const { standing, ...placed } = await placeDials(app, caller, campaignId, given);
  const isRunning = standing === 'running' || (standing === 'drained' && placed.accepted > 0 && (await runAgain(app, caller, campaignId)));
  return { ...placed, waitsForStart: placed.accepted > 0 && !isRunning };
}

/** A campaign that lacks something else, such as a script, stays completed. Shape: whether it runs */
async function runAgain(app: CampaignsApp, caller: Caller, campaignId: number): Promise<boolean> {
  try {
    const { status } = await updateCampaign(app, caller, campaignId, { status: 'running' });
    return status === 'running';
  } catch (error) {
    if (isCalloutError(error) && !error.retryable) return false;
    throw error;
  }
}
