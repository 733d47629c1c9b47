import { expect, test } from '@jest/globals';
import { manualClock } from '#test/support/manual-clock.ts';
import { type Segment, simulatedConversation } from '#tools/runtime/conversation.ts';
import type { CallVoice } from '#tools/runtime/voice.ts';

type People = Awaited<ReturnType<CallVoice['people']>>;

/** A customer who never speaks, with an agent whose words nobody hears in a browser. */
function aMeeting(people: () => People) {
  const clock = manualClock();
  const said: Segment[] = [];
  const voice: CallVoice = { begin: async () => null, hush: () => undefined, people: async () => people() };
  const conversation = simulatedConversation({
    customer: { greet: () => null, reply: () => null },
    clock,
    speed: 1,
    over: new AbortController().signal,
    onSegment: segment => said.push(segment),
    voice,
  });
  const parted = new AbortController();
  return { clock, said, over: conversation.meet('transfer', parted.signal), part: () => parted.abort() };
}

test('while the customer is on hold, no words of the simulated agent stand in the transcript', async () => {
  let people: People = null;
  const { clock, said, over, part } = aMeeting(() => people);
  await clock.pass(7_000);
  expect(said).toHaveLength(1);
  people = 'nobody';
  await clock.pass(30_000);
  expect(said).toHaveLength(1);
  people = null;
  await clock.pass(20_000);
  expect(said.length).toBeGreaterThan(1);
  expect(said.every(({ speaker }) => speaker === 'agent')).toBe(true);
  part();
  await clock.pass(10_000);
  await over;
});
