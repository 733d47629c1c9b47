import { defineEntity, p } from '@mikro-orm/core';
import { stamps } from './columns.ts';

const schema = defineEntity({
  name: 'LineNumberEntity',
  tableName: 'line_number',
  properties: {
    id: p.integer().primary().autoincrement(),
    lineId: p.integer(),
    number: p.text(),
    weight: p.integer().default(1),
    maxConcurrency: p.integer().default(1),
    isEnabled: p.boolean().default(true),
    position: p.integer(),
    ...stamps(),
  },
});

export class LineNumberEntity extends schema.class {}
schema.setClass(LineNumberEntity);
