import { AgentEntity } from '#model/agent.ts';
import { AgentGroupEntity } from '#model/agent-group.ts';
import { AuditRowEntity } from '#model/audit-row.ts';
import { BatchEntity } from '#model/batch.ts';
import { BusinessEntity } from '#model/business.ts';
import { CampaignEntity, CampaignLineEntity } from '#model/campaign.ts';
import { DoNotCallEntity } from '#model/do-not-call.ts';
import { LineEntity, LineNumberEntity } from '#model/line.ts';
import { PolicyEntity } from '#model/policy.ts';
import { ScriptEntity, ScriptVersionEntity } from '#model/script.ts';
import { UserEntity } from '#model/user.ts';

/** All entities, listed explicitly so that the start need not scan folders. */
export const ENTITIES = [
  AgentEntity,
  AgentGroupEntity,
  AuditRowEntity,
  BatchEntity,
  BusinessEntity,
  CampaignEntity,
  CampaignLineEntity,
  DoNotCallEntity,
  LineEntity,
  LineNumberEntity,
  PolicyEntity,
  ScriptEntity,
  ScriptVersionEntity,
  UserEntity,
];
