import { expect, test } from '@jest/globals';
import { createScriptSource } from '#tools/runtime/script-source.ts';
import { aScript } from './builders.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const live = new AbortController().signal;

function rig(answers: (call: number) => unknown) {
  const clock = manualClock();
  const asked: string[] = [];
  const request = async (subject: string, body: unknown) => {
    asked.push(`${subject} ${JSON.stringify(body)}`);
    return answers(asked.length);
  };
  return { clock, asked, source: createScriptSource({ request }, clock) };
}

const found = { ok: true, data: aScript() };

test('a version never changes, so it is fetched once, also by calls that start together', async () => {
  const { source, asked } = rig(() => found);
  await Promise.all([source.get(7, 2, live), source.get(7, 2, live)]);
  await source.get(7, 2, live);
  expect(asked).toEqual(['callout.v1.script.7.runtime {"version":2}']);
});

test('the current version is fetched each time', async () => {
  const { source, asked } = rig(() => found);
  await source.get(7, null, live);
  await source.get(7, null, live);
  expect(asked).toHaveLength(2);
});

test('a fetch is retried while the server is unavailable, and a failure is not cached', async () => {
  const { clock, source, asked } = rig(call => {
    if (call === 1 || (call > 2 && call <= 5)) throw new Error('no responders');
    return found;
  });
  expect(await clock.until(source.get(7, 2, live))).toEqual(aScript());
  await expect(clock.until(source.get(7, 3, live))).rejects.toThrow('no responders');
  expect(await clock.until(source.get(7, 3, live))).toEqual(aScript());
  expect(asked).toHaveLength(6);
});

test('an unknown script is not fetched again', async () => {
  const { source, asked } = rig(() => ({ ok: false, code: 'NOT_FOUND', msg: '话术脚本不存在' }));
  await expect(source.get(9, 1, live)).rejects.toThrow('NOT_FOUND');
  expect(asked).toHaveLength(1);
});

test('at most 200 versions are cached; the least recently used one is fetched again', async () => {
  const { source, asked } = rig(() => found);
  for (let version = 1; version <= 201; version++) {
    await source.get(7, version, live);
    await source.get(7, 1, live);
  }
  expect(asked).toHaveLength(201);
  await source.get(7, 1, live);
  expect(asked).toHaveLength(201);
  await source.get(7, 2, live);
  expect(asked).toHaveLength(202);
});
