import { CalloutError } from '#kernel/errors.ts';
import type { Campaign } from './campaign.ts';

/**
 * Errors: CAMPAIGN_ARCHIVED, because an archived campaign is read-only
 * Source: D5.2
 */
export function requireNotArchived({ status }: Pick<Campaign, 'status'>): void {
  if (status === 'archived') throw new CalloutError('CAMPAIGN_ARCHIVED', '活动已归档，不能再修改');
}
