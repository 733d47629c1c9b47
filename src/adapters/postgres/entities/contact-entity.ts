import { defineEntity, p } from '@mikro-orm/core';
import type { ContactStatus } from '#ports/records.ts';
import { at, long, object, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'ContactEntity',
  tableName: 'contact',
  properties: {
    id: long().primary().autoincrement(),
    campaignId: p.integer(),
    phoneNumber: p.text(),
    numberKey: p.text(),
    dialKey: p.text(),
    customerName: p.text().default(''),
    remark: p.text().default(''),
    metadata: object(),
    priority: p.integer().default(0),
    status: p.text().$type<ContactStatus>().default('pending'),
    attemptCount: p.integer().default(0),
    retryAt: at().nullable(),
    lastAttemptId: long().nullable(),
    lastCallerNumber: p.text().nullable(),
    holdReason: p.text().nullable(),
    holdUntil: at().nullable(),
    deletedAt: at().nullable(),
    ...stampColumns(),
  },
});

export class ContactEntity extends schema.class {}
schema.setClass(ContactEntity);
