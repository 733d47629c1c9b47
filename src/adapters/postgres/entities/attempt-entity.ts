import { defineEntity, p } from '@mikro-orm/core';
import type { Attempt, AttemptStatus, CallStatus, HangupBy, ReportedTimes, RingbackDetection } from '#ports/records.ts';
import { anyJson, at, long, stampColumns } from '#model/columns.ts';

const schema = defineEntity({
  name: 'AttemptEntity',
  tableName: 'attempt',
  properties: {
    id: long().primary().autoincrement(),
    requestId: p.uuid(),
    campaignId: p.integer(),
    contactId: long(),
    batchId: long().nullable(),
    lineId: p.integer().nullable(),
    callerNumber: p.text().nullable(),
    cellId: p.text().nullable(),
    phoneNumber: p.text(),
    dialKey: p.text(),
    status: p.text().$type<AttemptStatus>(),
    callStatus: p.text().$type<CallStatus>().nullable(),
    hangupCause: p.text().nullable(),
    hangupBy: p.text().$type<HangupBy>().nullable(),
    replyText: p.text().default(''),
    ringbackDetection: p.json().$type<RingbackDetection>().nullable(),
    scriptId: p.integer().nullable(),
    scriptVersion: p.integer().nullable(),
    claimedAt: at(),
    dialingAt: at().nullable(),
    acceptedAt: at().nullable(),
    startedAt: at().nullable(),
    answeredAt: at().nullable(),
    endedAt: at().nullable(),
    durationSeconds: p.integer().nullable(),
    recordingUrl: p.text().nullable(),
    recognizedText: p.text().nullable(),
    classification: p.text().nullable(),
    intent: p.text().nullable(),
    optOut: p.boolean().default(false),
    emotionStatus: p.text().$type<Attempt['emotionStatus']>().default('none'),
    emotion: anyJson(),
    direction: p.text().default('outbound'),
    payload: anyJson(),
    reportedTimes: p.json().$type<ReportedTimes>().nullable(),
    deletedAt: at().nullable(),
    ...stampColumns(),
  },
});

export class AttemptEntity extends schema.class {}
schema.setClass(AttemptEntity);
