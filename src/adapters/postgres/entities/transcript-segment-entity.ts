import { defineEntity, p } from '@mikro-orm/core';
import type { Speaker } from '#ports/records.ts';
import { long, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'TranscriptSegmentEntity',
  tableName: 'transcript_segment',
  properties: {
    id: long().primary().autoincrement(),
    attemptId: long(),
    segmentId: p.text(),
    position: p.integer(),
    speaker: p.text().$type<Speaker>(),
    text: p.text(),
    startMs: long().nullable(),
    endMs: long().nullable(),
    nodeId: p.text().nullable(),
    ...stampColumns(),
  },
});

export class TranscriptSegmentEntity extends schema.class {}
schema.setClass(TranscriptSegmentEntity);
