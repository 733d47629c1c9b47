import { expect, test } from '@jest/globals';
import { seededRandom } from '#kernel/random.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { type Channel, newChannel } from '#tools/switch/channel.ts';
import type { PeopleHeard } from '#tools/switch/media/switch-sound.ts';
import { SmallTalk } from '#tools/switch/small-talk.ts';

function aCustomer(): Channel {
  const channel = newChannel({
    uuid: 'customer',
    direction: 'outbound',
    channelName: 'sofia/external/1',
    number: '1',
    gateway: null,
    endpoint: 'sofia',
    way: 'open',
    phone: null,
    dialString: '',
    application: '&park()',
    createdVariables: new Map(),
    sessionId: 1,
    createdAt: 0,
    finish: () => undefined,
  });
  const plan = { kind: 'answers', callee: 'person', progress: [], networkMs: 0, ringMs: 0, talkMs: null, talks: 'inCompany' } as const;
  return { ...channel, answeredAt: 1, plan };
}

function aTalk(channel: Channel) {
  const clock = manualClock();
  const said: string[] = [];
  const heard: { people: PeopleHeard | null } = { people: null };
  const speech = {
    soundOf: (_speaker: string, text: string) => {
      said.push(text);
      return Promise.resolve(new Int16Array());
    },
  };
  const sound = { peopleHeardBy: () => heard.people, speak: () => undefined };
  new SmallTalk({ clock, random: seededRandom(1), channels: () => [channel], sound, speech }).start();
  return { clock, said, heard };
}

test('a customer of a call by hand greets a person, and replies once after each of their pauses', async () => {
  const { clock, said, heard } = aTalk(aCustomer());
  await clock.pass(2_000);
  expect(said).toEqual([]);
  heard.people = { spokenMs: 0, silentMs: null };
  await clock.pass(1_000);
  expect(said).toEqual(['喂，您好。']);
  heard.people = { spokenMs: 2_000, silentMs: 100 };
  await clock.pass(1_000);
  expect(said).toHaveLength(1);
  heard.people = { spokenMs: 2_000, silentMs: 1_000 };
  await clock.pass(3_000);
  expect(said).toHaveLength(2);
});

test('a customer with a runtime beside them says nothing of their own', async () => {
  const { clock, said, heard } = aTalk({ ...aCustomer(), hasRuntime: true });
  heard.people = { spokenMs: 5_000, silentMs: 2_000 };
  await clock.pass(3_000);
  expect(said).toEqual([]);
});
