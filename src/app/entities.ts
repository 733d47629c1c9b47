import { AgentEntity } from '#agents/agent-store.ts';
import { AgentGroupEntity } from '#agents/agent-groups.ts';
import { BatchEntity } from '#attempts/batch-store.ts';
import { AuditRowEntity } from '#audit/audit-store.ts';
import { BusinessEntity } from '#businesses/business-store.ts';
import { CampaignEntity, CampaignLineEntity } from '#campaigns/campaign-store.ts';
import { DoNotCallEntity } from '#do-not-call/do-not-call-store.ts';
import { LineEntity, LineNumberEntity } from '#lines/line-store.ts';
import { PolicyEntity } from '#policies/policy-store.ts';
import { ScriptEntity, ScriptVersionEntity } from '#scripts/script-store.ts';
import { UserEntity } from '#users/user-store.ts';

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
