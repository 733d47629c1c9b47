import { z } from 'zod';
import { flag, rowId, stamps } from '#kernel/fields.ts';

/** A business line that campaigns and scripts belong to; defined in the configuration. Source: OCS 2.11 */
export const business = z
  .object({
    id: rowId,
    businessCode: z.string(),
    businessName: z.string(),
    isEnabled: flag,
    remark: z.string(),
    runtimeBringsFlow: flag,
    ...stamps,
  })
  .meta({ id: 'Business' });

export type Business = z.output<typeof business>;
