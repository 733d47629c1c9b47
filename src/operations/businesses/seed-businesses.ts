import type { BusinessSeed, BusinessStore } from '#ports/business-store.ts';

/** A business as the configuration names it. Source: D1.3 */
export interface ConfiguredBusiness {
  businessCode: string;
  businessName: string;
  isEnabled?: boolean | undefined;
  remark?: string | undefined;
}

/**
 * Brings the businesses up to the configuration at start; returns how many rows changed.
 *
 * Why:    a business that left the configuration stays as it is, campaigns may still refer to it
 * Source: D1.3
 */
export function seedBusinesses(deps: { businesses: Pick<BusinessStore, 'seed'> }, rows: readonly ConfiguredBusiness[]): Promise<number> {
  const seeds: BusinessSeed[] = rows.map(({ isEnabled = true, remark = '', ...business }) => ({ ...business, isEnabled, remark }));
  return deps.businesses.seed(seeds);
}
