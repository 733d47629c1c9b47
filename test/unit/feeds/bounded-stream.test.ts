import { describe, expect, test } from '@jest/globals';
import { BoundedStream } from '#operations/feeds/bounded-stream.ts';

function streamOf(limit: number, catchUp: () => readonly string[] = () => ['anew']) {
  let ends = 0;
  const stream = new BoundedStream<string>({ limit, catchUp, onEnd: () => (ends += 1) });
  return { stream, ends: () => ends, draw: async () => (await stream.next()).value };
}

describe('a bounded stream [A1.5]', () => {
  test('hands on what waits, in order, and what comes later when it comes', async () => {
    const { stream, draw } = streamOf(5);
    stream.push('a');
    stream.push('b');
    expect([await draw(), await draw()]).toEqual(['a', 'b']);
    const drawn = draw();
    stream.push('c');
    expect(await drawn).toBe('c');
  });

  test('drops everything for a client that is too slow and begins anew when it draws again', async () => {
    let asked = 0;
    const { stream, draw } = streamOf(3, () => [`anew ${(asked += 1)}`, 'snapshot']);
    for (const event of ['a', 'b', 'c', 'd', 'e']) stream.push(event);
    expect(asked).toBe(0);
    expect([await draw(), await draw()]).toEqual(['anew 1', 'snapshot']);
    stream.push('f');
    expect(await draw()).toBe('f');
  });

  test('ends once, whoever ends it, and lets a waiting draw go', async () => {
    const { stream, ends } = streamOf(3);
    const drawn = stream.next();
    await stream.return();
    stream.end();
    stream.push('late');
    expect(await drawn).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(ends()).toBe(1);
  });
});
