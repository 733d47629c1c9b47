/** Executors live in operations/campaigns/effects.ts and are idempotent. */
export type CampaignEffects = {
  /** Somebody starts it: what stopped it for want of a script is forgotten. */
  forgetScriptless: undefined;
  /** Let every instance look at the campaign now. */
  wakeDispatch: undefined;
  /** Claims that have not been dialled go back (D5.2). */
  cancelClaims: undefined;
  recordEvent: { type: 'campaign.started' | 'campaign.paused' | 'campaign.completed'; by: string | null };
};
