import { describe, expect, test } from '@jest/globals';
import { BATCH, batchJudge, type Verdict } from './batch-judge.ts';

interface Row {
  isReader?: boolean;
  accepted?: readonly number[];
  writes: (asked: number, time: number) => boolean;
}

/** A route whose requests are numbers: it refuses all but `accepted`, and `writes` returns what the n-th execution of a request commits. */
function rowThat({ isReader = true, accepted = [], writes }: Row) {
  const times = new Map<number, number>();
  let committed: string[] = [];
  let flying = 0;
  const seen = { mostAtOnce: 0, looks: 0 };
  const judge = batchJudge<number, { status: number }>({
    isReader,
    async ask(asked) {
      flying++;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, flying);
      await Promise.resolve();
      flying--;
      const time = (times.get(asked) ?? 0) + 1;
      times.set(asked, time);
      if (writes(asked, time)) committed.push(`INSERT line ${asked}`);
      return { status: accepted.includes(asked) ? 200 : 400 };
    },
    changes() {
      seen.looks++;
      const changes = committed;
      committed = [];
      return Promise.resolve(changes);
    },
    faultOf: ({ status }, changes) => (status >= 400 && changes.length > 0 ? `changed ${changes.join()}` : null),
  });
  return { seen, batch: (from: number) => judge(Array.from({ length: BATCH }, (_, index) => from + index)) };
}

function faults(verdicts: readonly Verdict[]): (string | null)[] {
  return verdicts.map(({ fault }) => fault);
}

describe('a batch of the fuzzer', () => {
  test('of readers is sent at once and checked once, while the route changes nothing', async () => {
    const row = rowThat({ writes: () => false });
    await row.batch(0);
    expect(row.seen).toEqual({ mostAtOnce: 1, looks: BATCH });
    expect(faults(await row.batch(100))).toEqual(Array(BATCH).fill(null));
    expect(row.seen).toEqual({ mostAtOnce: BATCH, looks: BATCH + 1 });
  });

  test('of writers is sent in order and checked once', async () => {
    const row = rowThat({ isReader: false, writes: () => false });
    await row.batch(0);
    await row.batch(100);
    expect(row.seen).toEqual({ mostAtOnce: 1, looks: BATCH + 1 });
  });

  test('with a refusal that changes something names that request', async () => {
    const row = rowThat({ isReader: false, writes: asked => asked === 107 });
    await row.batch(0);
    const found = faults(await row.batch(100));
    expect(found.filter(fault => fault !== null)).toEqual(['changed INSERT line 107']);
    expect(found[7]).toBe('changed INSERT line 107');
  });

  test('with refusals that changed something only once stays a fault', async () => {
    const row = rowThat({ writes: (asked, time) => asked === 103 && time === 1 });
    await row.batch(0);
    expect(faults(await row.batch(100))).toEqual(Array(BATCH).fill(expect.stringContaining('INSERT line 103')));
  });

  test('with a success that changes something is not a fault, and the route is tested one request at a time from then on', async () => {
    const row = rowThat({ accepted: [104, 204], writes: asked => asked === 104 || asked === 204 || asked === 206 });
    await row.batch(0);
    expect(faults(await row.batch(100))).toEqual(Array(BATCH).fill(null));
    const { looks } = row.seen;
    const found = faults(await row.batch(200));
    expect(row.seen.looks).toBe(looks + BATCH);
    expect(found.filter(fault => fault !== null)).toEqual(['changed INSERT line 206']);
  });

  test('keeps a fault that is unrelated to changes', async () => {
    const judge = batchJudge<number, { status: number }>({
      isReader: true,
      ask: asked => Promise.resolve({ status: asked === 15 ? 500 : 400 }),
      changes: () => Promise.resolve([]),
      faultOf: ({ status }) => (status >= 500 ? `answers ${status}` : null),
    });
    await judge(Array.from({ length: BATCH }, (_, index) => index));
    const verdicts = await judge(Array.from({ length: BATCH }, (_, index) => 10 + index));
    expect(verdicts[5]).toEqual({ status: 500, fault: 'answers 500' });
  });
});
