import { defineEntity, p } from '@mikro-orm/core';
import type { BusinessConfig, CampaignPhase, CampaignStatus } from '#ports/records.ts';
import { at, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'CampaignEntity',
  tableName: 'campaign',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.text(),
    businessCode: p.text(),
    cellId: p.text().nullable(),
    maxConcurrency: p.integer().default(1),
    maxRetries: p.integer().default(0),
    retryIntervalSeconds: p.integer().default(300),
    callIntervalMs: p.integer().default(0),
    retryAnsweredWithoutResult: p.boolean().default(false),
    workdayStart: p.text().nullable(),
    workdayEnd: p.text().nullable(),
    scheduledStartAt: at().nullable(),
    scheduledEndAt: at().nullable(),
    businessConfig: p.json().$type<BusinessConfig>(),
    description: p.text().default(''),
    status: p.text().$type<CampaignStatus>().default('draft'),
    phase: p.text().$type<CampaignPhase>().default('IDLE'),
    phaseReason: p.text().nullable(),
    nextWakeAt: at().nullable(),
    leftOutVariablesTold: p.boolean().default(false),
    deletedAt: at().nullable(),
    ...stampColumns(),
  },
});

export class CampaignEntity extends schema.class {}
schema.setClass(CampaignEntity);
