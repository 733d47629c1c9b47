import { AgentEntity } from '#agents/agent.ts';
import { AgentGroupEntity } from '#agents/agent-group.ts';
import { AuditRowEntity } from '#audit/audit-row.ts';
import { BatchEntity } from '#attempts/batch.ts';
import { BusinessEntity } from '#businesses/business.ts';
import { CampaignEntity, CampaignLineEntity } from '#campaigns/campaign.ts';
import { DoNotCallEntity } from '#do-not-call/do-not-call.ts';
import { LineEntity, LineNumberEntity } from '#lines/line.ts';
import { PolicyEntity } from '#policies/policy.ts';
import { ScriptEntity, ScriptVersionEntity } from '#scripts/script.ts';
import { UserEntity } from '#users/user.ts';

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
