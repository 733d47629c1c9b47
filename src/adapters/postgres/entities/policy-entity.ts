import { defineEntity, p } from '@mikro-orm/core';
import type { Policy } from '#ports/records.ts';
import { object, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'PolicyEntity',
  tableName: 'policy',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    scope: p.text().$type<Policy['scope']>(),
    campaignId: p.integer().nullable(),
    type: p.text(),
    action: p.text().$type<Policy['action']>(),
    priority: p.integer().default(0),
    config: object(),
    isEnabled: p.boolean().default(true),
    ...stampColumns(),
  },
});

export class PolicyEntity extends schema.class {}
schema.setClass(PolicyEntity);
