import { expect, test } from '@jest/globals';
import { calmMessages } from '#platform/nats/connect.ts';
import { natsLiveDeltas } from '#platform/nats/signals.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { LiveDelta, LiveDeltaKind } from '#platform/feeds/live-deltas.ts';
import { manualClock } from '#test/support/manual-clock.ts';

test('calm messages leave with the next urgent one, ahead of it, or after a moment', async () => {
  const clock = manualClock();
  const calm = calmMessages(clock);
  const sent: string[] = [];
  const send = (name: string) => (calm.leave(), void sent.push(name));
  calm.add(() => void sent.push('a'));
  calm.add(() => void sent.push('b'));
  expect(sent).toEqual([]);
  send('hurried');
  expect(sent).toEqual(['a', 'b', 'hurried']);
  calm.add(() => void sent.push('c'));
  await clock.pass(20);
  expect(sent).toEqual(['a', 'b', 'hurried', 'c']);
});

test('changes of a call are published calmly, captions at once', () => {
  const published: string[] = [];
  const bus = {
    publish: (_subject: string, { kind }: LiveDelta) => void published.push(`at once: ${kind}`),
    publishCalmly: (_subject: string, { kind }: LiveDelta) => void published.push(`calmly: ${kind}`),
  } as unknown as Bus;
  const delta = (kind: LiveDeltaKind) => ({ requestId: 'a', campaignId: 1, kind, version: 1, at: 0, data: {} });
  for (const kind of ['call-changed', 'segment'] as const) natsLiveDeltas(bus).publish(delta(kind));
  expect(published).toEqual(['calmly: call-changed', 'at once: segment']);
});
