import { describe, expect, test } from '@jest/globals';
import { applyEvent, type LiveCallsEvent, type WatchedCall } from '../../../console/live/call-changes.ts';
import { isWanted, orderedKeys } from '../../../console/live/call-order.ts';
import { watchedCall as call } from '#test/support/console/watched-call.ts';

const AT = { at: '2026-03-02T02:00:00.000Z', cursor: 'a:1' };
const EVERYTHING = { campaignId: '', state: '', isWanted: false, sort: '' };

const hit = { __typename: 'IntentHit', keyword: '投诉', segmentId: 's1', at: AT.at } as const;
const claim = (status: 'REQUESTED' | 'FAILED') =>
  ({
    __typename: 'Intervention',
    id: 'i',
    status,
    initiatorId: '1',
    agentId: null,
    when: 'NOW',
    reason: null,
    requestedAt: AT.at,
    endsBy: null,
  }) as const;

describe('calls that need attention', () => {
  const priorities = new Map([['2', 50]]);
  const order = (calls: WatchedCall[], choice = EVERYTHING) => orderedKeys(calls, choice, priorities);

  test('are sorted by keyword hit, then longest wait, then higher priority', () => {
    const calls = [
      call('quiet'),
      call('important', { campaignId: '2' }),
      call('waits', { waitingSince: '2026-03-02T01:59:50.000Z' }),
      call('waits longer', { waitingSince: '2026-03-02T01:59:10.000Z' }),
      call('hit', { intentHits: [hit] }),
    ];
    expect(order(calls)).toEqual(['hit', 'waits longer', 'waits', 'important', 'quiet']);
  });

  test('exclude a claimed call, but include one whose claim failed', () => {
    expect(isWanted(call('a', { intentHits: [hit], intervention: claim('REQUESTED') }))).toBe(false);
    expect(isWanted(call('a', { intentHits: [hit], intervention: claim('FAILED') }))).toBe(true);
    expect(isWanted(call('a', { intentHits: [hit], status: 'ENDED' }))).toBe(false);
  });

  test('include ended calls only on request', () => {
    const calls = [call('goes on'), call('over', { status: 'ENDED' })];
    expect(order(calls)).toEqual(['goes on']);
    expect(order(calls, { ...EVERYTHING, state: 'ENDED' })).toEqual(['over']);
  });
});

describe('events of the stream', () => {
  const caption = (segmentId: string, text: string) =>
    ({ __typename: 'LiveSegment', segmentId, speaker: 'BOT', text, final: true, startMs: null, at: AT.at }) as const;
  const said = (segmentId: string, text: string): LiveCallsEvent => ({
    __typename: 'LiveCallSegment',
    ...AT,
    call: { __typename: 'LiveCall', callKey: 'a', currentNodeId: 'greet' },
    segment: caption(segmentId, text),
  });

  test('a caption changes only its call; a later text replaces it; three captions are kept', () => {
    const calls = new Map([['a', call('a')]]);
    for (const event of [said('s1', '您'), said('s1', '您好'), said('s2', '在'), said('s3', '吗'), said('s4', '嗯')]) {
      expect(applyEvent(calls, event)).toEqual({ keys: ['a'], isListChanged: false });
    }
    expect(calls.get('a')).toMatchObject({ currentNodeId: 'greet', captions: [{ text: '在' }, { text: '吗' }, { text: '嗯' }] });
  });

  test('a caption of an unknown call is ignored', () => {
    expect(applyEvent(new Map(), said('s1', '您好')).keys).toEqual([]);
  });

  test('a change keeps the captions; a snapshot replaces everything and reports the removed calls', () => {
    const calls = new Map([['a', call('a', { captions: [caption('s1', '您好')] })]]);
    const { captions: _captions, ...facts } = call('a', { status: 'ENDED' });
    applyEvent(calls, { __typename: 'LiveCallEnded', ...AT, call: facts });
    expect(calls.get('a')).toMatchObject({ status: 'ENDED', captions: [{ text: '您好' }] });
    const { captions, ...other } = call('b');
    const told = { __typename: 'LiveCallsSnapshot' as const, ...AT, truncated: false, calls: [{ ...other, segments: [...captions] }] };
    expect(applyEvent(calls, told)).toEqual({ keys: ['a', 'b'], isListChanged: true });
    expect([...calls.keys()]).toEqual(['b']);
  });
});
