/** How a campaign's calls are watched; absent outside the monitored business. */
export interface Monitoring {
  monitoringMode?: 'strict' | 'elastic' | 'unattended';
}

/**
 * Whether a campaign's live calls are given to monitors.
 *
 * Why:    calls of an unattended campaign would take the places of those that somebody must or should watch
 * Source: OCS 2.6 `monitoringMode`
 */
export function isMonitored({ monitoringMode }: Monitoring): boolean {
  return monitoringMode === 'strict' || monitoringMode === 'elastic';
}

/** Whether nobody may be called unless somebody can watch. Source: OCS 4.12 rule 4 */
export function needsMonitor({ monitoringMode }: Monitoring): boolean {
  return monitoringMode === 'strict';
}

/** How much of a shared line or cell a campaign gets beside others. Source: A6 step 2 */
export function weightOf(monitoringPriority: number): number {
  return monitoringPriority + 1;
}
