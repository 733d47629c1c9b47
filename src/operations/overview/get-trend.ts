import type { OverviewStore, TrendDay } from '#ports/overview-store.ts';

/**
 * One row for each of the last `days` business days, today included.
 *
 * Errors: DATABASE_UNAVAILABLE
 * Source: OCS 4.1, D14.2
 */
export function getTrend(deps: { dashboards: Pick<OverviewStore, 'trend'> }, days: number): Promise<TrendDay[]> {
  return deps.dashboards.trend(days);
}
