/** Monitoring mode of a campaign; absent outside the monitored business. */
export interface Monitoring {
  monitoringMode?: 'strict' | 'elastic' | 'unattended';
}

/**
 * Whether a campaign's live calls are assigned to monitors.
 *
 * Why:    calls of an unattended campaign would occupy monitors that other calls need
 * Source: OCS 2.6 `monitoringMode`
 */
export function isMonitored({ monitoringMode }: Monitoring): boolean {
  return monitoringMode === 'strict' || monitoringMode === 'elastic';
}

/** Whether a dial requires an available monitor. Source: OCS 4.12 rule 4 */
export function needsMonitor({ monitoringMode }: Monitoring): boolean {
  return monitoringMode === 'strict';
}

/** Weight of a campaign when several share a line or a cell. Source: A6 step 2 */
export function weightOf(monitoringPriority: number): number {
  return monitoringPriority + 1;
}
