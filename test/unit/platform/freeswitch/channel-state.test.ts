import { expect, test } from '@jest/globals';
import { readChannels, readChannelState } from '#platform/freeswitch/status-commands.ts';

const dump = (answeredAtUs: string) =>
  JSON.stringify({ 'Event-Name': 'CHANNEL_DATA', 'Channel-Call-State': 'ACTIVE', 'Caller-Channel-Answered-Time': answeredAtUs });

test.each([
  ['a channel that nobody has answered', dump('0'), { kind: 'ringing' }],
  ['an answered one, with its time in ms', dump('1795223696280740'), { kind: 'answered', answeredAt: 1_795_223_696_280 }],
  ['no channel', '-ERR No such channel!', { kind: 'absent' }],
  ['an answer of another kind', '-ERR Operation Failed', null],
  ['a dump without times', '{"Event-Name":"CHANNEL_DATA"}', null],
  ['half an answer', dump('0').slice(0, 40), null],
])('reads %s from uuid_dump [test/fixtures/esl/README.md §4]', (_what, text, state) => {
  expect(readChannelState(text)).toEqual(state);
});

test('show channels says which channels are answered [test/fixtures/esl/README.md §1a]', () => {
  const rows = ['ACTIVE', 'HELD', 'RINGING', 'EARLY', 'DOWN'].map(callstate => ({ uuid: callstate, callstate }));
  const listed = readChannels(JSON.stringify({ row_count: rows.length, rows }));
  expect(listed?.filter(({ isAnswered }) => isAnswered).map(({ uuid }) => uuid)).toEqual(['ACTIVE', 'HELD']);
});

test('an empty list has no rows, and an unknown reply is no list [test/fixtures/esl/README.md §4]', () => {
  expect(readChannels('{"row_count": 0}')).toEqual([]);
  expect(readChannels('-ERR no reply')).toBeNull();
});
