import type { BusinessConfig } from './business-config.ts';
import { CAMPAIGN_DEFAULTS } from './decisions/campaign-bounds.ts';

/** The only business whose calls users monitor. Source: OCS 2.6 */
export const MONITORED_BUSINESS = 'kb-audio-chat-business';

/**
 * Normalises a business configuration for storage: monitoring members only for the monitored business, empty groups omitted.
 *
 * Source: OCS 2.6, D5.4
 */
export function fitBusinessConfig(config: BusinessConfig, businessCode: string): BusinessConfig {
  const { variables = {}, intentKeywords = [], monitoringMode, monitoringPriority } = config;
  const monitoring = {
    monitoringMode: monitoringMode ?? 'unattended',
    monitoringPriority: monitoringPriority ?? CAMPAIGN_DEFAULTS.monitoringPriority,
  };
  return {
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
    ...(intentKeywords.length > 0 ? { intentKeywords } : {}),
    ...(businessCode === MONITORED_BUSINESS ? monitoring : {}),
  };
}
