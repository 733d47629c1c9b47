import { AttemptEntity } from './attempt-entity.ts';
import { AuditEntity } from './audit-entity.ts';
import { BatchEntity } from './batch-entity.ts';
import { BusinessEntity } from './business-entity.ts';
import { CampaignEntity } from './campaign-entity.ts';
import { CampaignLineEntity } from './campaign-line-entity.ts';
import { ContactEntity } from './contact-entity.ts';
import { DoNotCallEntity } from './do-not-call-entity.ts';
import { LineEntity, LineNumberEntity } from '#model/line.ts';
import { PolicyEntity } from './policy-entity.ts';
import { RuntimeEventEntity } from './runtime-event-entity.ts';
import { ScriptEntity } from './script-entity.ts';
import { ScriptVersionEntity } from './script-version-entity.ts';
import { TranscriptSegmentEntity } from './transcript-segment-entity.ts';
import { UserEntity } from './user-entity.ts';

/** Every entity by name: start-up reads no folder. */
export const ENTITIES = [
  AttemptEntity,
  AuditEntity,
  BatchEntity,
  BusinessEntity,
  CampaignEntity,
  CampaignLineEntity,
  ContactEntity,
  DoNotCallEntity,
  LineEntity,
  LineNumberEntity,
  PolicyEntity,
  RuntimeEventEntity,
  ScriptEntity,
  ScriptVersionEntity,
  TranscriptSegmentEntity,
  UserEntity,
];
