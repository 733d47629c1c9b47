import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'CampaignLineEntity',
  tableName: 'campaign_line',
  properties: {
    campaignId: p.integer().primary(),
    lineId: p.integer().primary(),
    position: p.integer(),
  },
});

export class CampaignLineEntity extends schema.class {}
schema.setClass(CampaignLineEntity);
