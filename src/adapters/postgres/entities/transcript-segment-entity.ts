import { defineEntity, p } from '@mikro-orm/core';
import type { Speaker } from '#ports/records.ts';
import { longId, stamps } from './columns.ts';

const schema = defineEntity({
  name: 'TranscriptSegmentEntity',
  tableName: 'transcript_segment',
  properties: {
    id: longId().primary().autoincrement(),
    attemptId: longId(),
    segmentId: p.text(),
    position: p.integer(),
    speaker: p.text().$type<Speaker>(),
    text: p.text(),
    startMs: p.integer().nullable(),
    endMs: p.integer().nullable(),
    nodeId: p.text().nullable(),
    ...stamps(),
  },
});

export class TranscriptSegmentEntity extends schema.class {}
schema.setClass(TranscriptSegmentEntity);
