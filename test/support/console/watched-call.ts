import type { WatchedCall } from '../../../console/live/call-changes.ts';

/** A call in progress as the console's pages hold it, with the given changes. */
export function watchedCall(callKey: string, change: Partial<WatchedCall> = {}): WatchedCall {
  return {
    __typename: 'LiveCall',
    id: callKey,
    callKey,
    attemptId: '1',
    campaignId: '1',
    contactId: '1',
    campaignName: '活动',
    phoneNumber: '13900000001',
    customerName: '',
    cellId: 'cell-1',
    status: 'LIVE',
    startedAt: '2026-03-02T01:59:00.000Z',
    answeredAt: null,
    endedAt: null,
    hangupCause: null,
    currentNodeId: null,
    waitingSince: null,
    intentHits: [],
    monitorAssignment: null,
    retainedByIds: [],
    people: [],
    intervention: null,
    captions: [],
    ...change,
  };
}
