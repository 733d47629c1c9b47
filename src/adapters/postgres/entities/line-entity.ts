import { defineEntity, p } from '@mikro-orm/core';
import type { AllocationMode, CallerIdHeaderMode } from '#ports/records.ts';
import { at, stamps } from './columns.ts';

const schema = defineEntity({
  name: 'LineEntity',
  tableName: 'line',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    code: p.text(),
    dialStringTemplate: p.text(),
    callerIdNumber: p.text().nullable(),
    callerIdName: p.text().nullable(),
    maxConcurrency: p.integer(),
    allocationMode: p.text().$type<AllocationMode>(),
    callerIdHeaderMode: p.text().$type<CallerIdHeaderMode>().default('caller_id_only'),
    isEnabled: p.boolean().default(true),
    description: p.text().default(''),
    deletedAt: at().nullable(),
    ...stamps(),
  },
});

export class LineEntity extends schema.class {}
schema.setClass(LineEntity);
