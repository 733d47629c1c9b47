import type { BusinessRow } from '#contract/rest/businesses.ts';
import type { Business } from '#ports/records.ts';
import { presentFlag } from './flag.ts';
import { presentInstant } from './instant.ts';

/** Source: OCS 2.11 */
export function presentBusiness(business: Business): BusinessRow {
  return {
    id: business.id,
    businessCode: business.businessCode,
    businessName: business.businessName,
    isEnabled: presentFlag(business.isEnabled),
    remark: business.remark,
    createdAt: presentInstant(business.createdAt),
    updatedAt: presentInstant(business.updatedAt),
  };
}
