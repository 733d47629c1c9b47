import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { followCaptions } from '#tools/start/live-captions.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: DispatchRig;
beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 20_000, maxMs: 20_000 } }) });
});
afterAll(() => rig.close());

test('the terminal shows the newest eight captions, a corrected text in place of the old one', async () => {
  const { server, token } = rig;
  const { id } = await rig.campaign({ contacts: numbers(1) });
  const captions = followCaptions({ url: server.url, token }, id);
  await rig.start(id);
  const requestId = await waitUntil('an answered call', () => rig.taken[0]);
  const say = (seq: number, segmentId: string, text: string) =>
    server.internal('POST', '/api/call-progress', { requestId, kind: 'segment', seq, segment: { segmentId, speaker: 'customer', text } });
  for (let seq = 1; seq <= 10; seq++) await say(seq, `s${seq}`, `第 ${seq} 句`);
  await say(11, 's10', '第 10 句，更正');
  const shown = await waitUntil('the correction', () => (captions.latest().at(-1)?.text === '第 10 句，更正' ? captions.latest() : null));
  expect(shown.map(({ text }) => text)).toEqual([3, 4, 5, 6, 7, 8, 9].map(seq => `第 ${seq} 句`).concat('第 10 句，更正'));
  expect(shown[0]).toMatchObject({ speaker: 'customer', attemptId: expect.any(Number) });
  const joined = followCaptions({ url: server.url, token }, id);
  await waitUntil('the same for who joins later', () => JSON.stringify(joined.latest()) === JSON.stringify(captions.latest()));
  await Promise.all([captions.close(), joined.close()]);
});
