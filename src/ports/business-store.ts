import type { Business } from './records.ts';

/**
 * Businesses that campaigns and scripts belong to; they come from the configuration.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 */
export interface BusinessStore {
  /** In the order of their codes. */
  listEnabled(): Promise<Business[]>;
  /** Adds each business or brings the row of its code up to date. One transaction; returns how many rows changed. */
  seed(rows: readonly BusinessSeed[]): Promise<number>;
}

/** Source: D1.3 `businesses[]` */
export interface BusinessSeed {
  businessCode: string;
  businessName: string;
  isEnabled: boolean;
  remark: string;
}
