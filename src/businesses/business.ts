import { defineEntity, p } from '@mikro-orm/core';
import { z } from 'zod';
import { stampColumns } from '#platform/postgres/entity-columns.ts';
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

const schema = defineEntity({
  name: 'BusinessEntity',
  tableName: 'business',
  properties: {
    id: p.integer().primary().autoincrement(),
    businessCode: p.text(),
    businessName: p.text(),
    isEnabled: p.boolean(),
    remark: p.text(),
    /** The runtime of this business brings its own call flow; no script of ours is used. Source: D5.6 */
    runtimeBringsFlow: p.boolean(),
    ...stampColumns(),
  },
});

export class BusinessEntity extends schema.class {}
schema.setClass(BusinessEntity);
