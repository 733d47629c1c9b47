/** Bounds and defaults of a campaign's numbers. Source: D5.3, D5.4 */
export const MAX_CAMPAIGN_CONCURRENCY = 10_000;
export const MAX_RETRIES = 20;
export const MAX_RETRY_INTERVAL_SECONDS = 2_592_000;
export const MAX_CALL_INTERVAL_MS = 3_600_000;
export const MAX_MONITORING_PRIORITY = 100;

export const CAMPAIGN_DEFAULTS = {
  maxConcurrency: 1,
  maxRetries: 0,
  retryIntervalSeconds: 300,
  callIntervalMs: 0,
  monitoringPriority: 0,
} as const;
