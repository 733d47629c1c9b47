import { expect, test } from '@jest/globals';
import { FollowUps } from '#platform/actor-host/lanes.ts';
import { manualClock } from '#test/support/manual-clock.ts';

/** Ten tasks that run until the test ends them; `a` came first. */
function tenAtWork() {
  const clock = manualClock();
  const followUps = new FollowUps(clock);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const add = (id: string, name = id) => {
    ends.set(name, Promise.withResolvers());
    return followUps.run(id, async () => {
      begun.push(name);
      await ends.get(name)?.promise;
    });
  };
  const results = new Map(Array.from('abcdefghij').map(id => [id, add(id)]));
  return { clock, followUps, begun, add, results, end: (name: string) => ends.get(name)?.resolve(), ends };
}

test('eight run at once, and the next starts when one ends, in order of arrival', async () => {
  const { clock, begun, end, results } = tenAtWork();
  expect(begun.join('')).toBe('abcdefgh');
  end('c');
  await results.get('c');
  await clock.pass(0);
  expect(begun.join('')).toBe('abcdefghi');
});

test('a failed task also makes room, and its sender gets the error', async () => {
  const { clock, begun, ends, results } = tenAtWork();
  ends.get('a')?.reject(new Error('the world is away'));
  await expect(results.get('a')).rejects.toThrow('the world is away');
  await clock.pass(0);
  expect(begun.join('')).toBe('abcdefghi');
});

test('no task waits longer than a second', async () => {
  const { clock, begun } = tenAtWork();
  await clock.pass(999);
  expect(begun).toHaveLength(8);
  await clock.pass(1);
  expect(begun.join('')).toBe('abcdefghij');
  expect(clock.pending()).toBe(0);
});

test("a task that waits for an actor starts before the actor's next event", async () => {
  const { clock, followUps, begun, add } = tenAtWork();
  void add('j', 'J');
  expect(begun.join('')).toBe('abcdefghj');
  followUps.hurry('j');
  expect(begun.join('')).toBe('abcdefghjJ');
  await clock.pass(2_000);
  expect(begun.join('')).toBe('abcdefghjJi');
});
