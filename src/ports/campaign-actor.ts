import type { Campaign } from './records.ts';

/**
 * The actor that owns a campaign's status. Each command resolves to the campaign after the move.
 *
 * Errors: NOT_FOUND; CAMPAIGN_ARCHIVED; CONFLICT for a move that does not exist or an archiving with live calls;
 *         NOTHING_TO_CALL for a start without work; DATABASE_UNAVAILABLE
 * Source: OCS §3 "Campaign status", D5.2
 */
export interface CampaignActor {
  start(campaignId: number, by: CommandSource): Promise<Campaign>;
  pause(campaignId: number, by: CommandSource): Promise<Campaign>;
  archive(campaignId: number, by: CommandSource): Promise<Campaign>;
}

/** Who moves it; a caller fits. */
export interface CommandSource {
  userId: number | null;
  name: string;
}
