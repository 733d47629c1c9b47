import { defineEntity, p } from '@mikro-orm/core';
import { stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'BusinessEntity',
  tableName: 'business',
  properties: {
    id: p.integer().primary().autoincrement(),
    businessCode: p.text(),
    businessName: p.text(),
    isEnabled: p.boolean().default(true),
    remark: p.text().default(''),
    ...stampColumns(),
  },
});

export class BusinessEntity extends schema.class {}
schema.setClass(BusinessEntity);
