/** Source: D5.1 */
export const CAMPAIGN_STATUSES = ['draft', 'running', 'paused', 'completed', 'archived'] as const;

/** Current activity of a running campaign, or what it is waiting for. Source: D5.1 */
export const CAMPAIGN_PHASES = [
  'IDLE',
  'DISPATCHING',
  'WAITING_WINDOW',
  'WAITING_INTERVAL',
  'WAITING_RETRY',
  'WAITING_SLOT',
  'WAITING_MONITOR',
  'WAITING_RUNTIME',
  'BLOCKED_BY_POLICY',
  'DRAINING',
  'SWITCH_UNREACHABLE',
] as const;

export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export type CampaignPhase = (typeof CAMPAIGN_PHASES)[number];

export const MAX_MONITORING_PRIORITY = 100;

export const CAMPAIGN_DEFAULTS = {
  maxConcurrency: 1,
  maxRetries: 0,
  retryIntervalSeconds: 300,
  callIntervalMs: 0,
  monitoringPriority: 0,
} as const;

/** Every dial that is decided later than this after an edit or a pause obeys it, ms. Source: D8.6 */
export const EDIT_BINDS_WITHIN_MS = 1_000;
