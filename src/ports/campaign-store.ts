import type { Business, Campaign } from './records.ts';

/**
 * Campaigns as people manage them; deleted ones do not exist here. Status moves belong to the campaign's actor.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 */
export interface CampaignStore {
  find(campaignId: number): Promise<Campaign | null>;
  /** Writes the campaign when `check` accepts what it refers to; `check` may throw. */
  create(fields: CampaignFields, check: CheckReferences): Promise<Campaign>;
  /** Locks the campaign, asks `edit` what it becomes and writes that; `edit` may throw to leave it. Null when absent. */
  update(campaignId: number, edit: CampaignEdit): Promise<CampaignUpdate | null>;
  remove(campaignId: number): Promise<CampaignRemoval>;
}

export type CampaignFields = Omit<Campaign, 'id' | 'createdAt' | 'updatedAt' | 'status' | 'phase' | 'phaseReason' | 'nextWakeAt'>;

export interface CampaignEdit {
  /** What the campaign becomes; null writes nothing. */
  change(current: Campaign): CampaignFields | null;
  check: CheckReferences;
}

export type CheckReferences = (references: CampaignReferences, fields: CampaignFields) => void;

/** What a campaign refers to, locked so that it stays until the write. */
export interface CampaignReferences {
  business: Business | null;
  /** Existing ones of `lineIds`. */
  lines: readonly { id: number; isEnabled: boolean }[];
}

export interface CampaignUpdate {
  before: Campaign;
  after: Campaign;
}

export type CampaignRemoval =
  | { kind: 'removed'; campaign: Campaign }
  | { kind: 'not_found' }
  /** Why not: it runs, or still has any of these. */
  | { kind: 'in_use'; by: 'running' | 'contacts' | 'batches' | 'attempts' };
