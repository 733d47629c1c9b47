import { describe, expect, test } from '@jest/globals';
import { type Channel, FanOut, type Sink } from '#platform/feeds/fan-out.ts';
import { manualClock } from '#test/support/manual-clock.ts';

/** A channel of numbers: `since` returns what followed the cursor, or everything as one snapshot. */
function numbersChannel(key = 'numbers') {
  const listeners = new Set<(event: string) => void>();
  const told: string[] = [];
  let end: () => void = () => undefined;
  let snapshots = 0;
  const channel: Channel<string> = {
    key,
    follow(listener, onEnd) {
      listeners.add(listener);
      end = onEnd;
      return () => void listeners.delete(listener);
    },
    since: cursor => (cursor === null ? [`snapshot ${told.length} #${(snapshots += 1)}`] : told.slice(Number(cursor))),
    catchUp: () => ['resync'],
  };
  return {
    channel,
    listening: () => listeners.size,
    end: () => end(),
    tell(event: string) {
      told.push(event);
      for (const listener of listeners) listener(event);
    },
  };
}

function collector() {
  const got: string[] = [];
  let isOver = false;
  const sink: Sink<string> = {
    put: (message, isOwed) => void got.push(isOwed ? `(${message})` : message),
    end: () => (isOver = true),
  };
  return { got, sink, isOver: () => isOver };
}

const loudly = (encoded: string[]) => (event: string) => {
  encoded.push(event);
  return event.toUpperCase();
};

describe('the fan-out', () => {
  test('encodes each event once for all subscribers [A1.5]', () => {
    const fanOut = new FanOut<string, string>(manualClock());
    const source = numbersChannel();
    const encoded: string[] = [];
    const clients = Array.from({ length: 100 }, collector);
    for (const { sink } of clients) fanOut.join(source.channel, loudly(encoded), { cursor: null, sink });
    source.tell('a');
    source.tell('b');
    expect(encoded).toEqual(['snapshot 0 #1', 'a', 'b']);
    for (const { got } of clients) expect(got).toEqual(['(SNAPSHOT 0 #1)', 'A', 'B']);
    expect(source.listening()).toBe(1);
  });

  test('shares a snapshot among new subscribers until the next event, for one second at most', async () => {
    const clock = manualClock();
    const fanOut = new FanOut<string, string>(clock);
    const source = numbersChannel();
    const join = () => {
      const { got, sink } = collector();
      fanOut.join(source.channel, event => event, { cursor: null, sink });
      return got;
    };
    expect([join(), join()]).toEqual([['(snapshot 0 #1)'], ['(snapshot 0 #1)']]);
    source.tell('a');
    expect(join()).toEqual(['(snapshot 1 #2)']);
    await clock.pass(1_001);
    expect(join()).toEqual(['(snapshot 1 #3)']);
  });

  test('continues from the cursor of a subscriber', () => {
    const fanOut = new FanOut<string, string>(manualClock());
    const source = numbersChannel();
    const [first, second] = [collector(), collector()];
    fanOut.join(source.channel, event => event, { cursor: null, sink: first.sink });
    for (const event of ['a', 'b', 'c']) source.tell(event);
    const { catchUp } = fanOut.join(source.channel, event => event, { cursor: '1', sink: second.sink });
    source.tell('d');
    catchUp();
    expect(second.got).toEqual(['(b)', '(c)', 'd', '(resync)']);
  });

  test('keeps the order when an event takes time to encode, and sends new subscribers nothing twice', async () => {
    const fanOut = new FanOut<string, string>(manualClock());
    const source = numbersChannel();
    const opens = new Map<string, () => void>();
    const encode = (event: string) => (event === 'slow' ? new Promise<string>(resolve => opens.set(event, () => resolve(event))) : event);
    const [first, second] = [collector(), collector()];
    const { leave } = fanOut.join(source.channel, encode, { cursor: null, sink: first.sink });
    source.tell('slow');
    source.tell('b');
    fanOut.join(source.channel, encode, { cursor: '2', sink: second.sink });
    source.tell('c');
    expect(first.got).toEqual(['(snapshot 0 #1)']);
    opens.get('slow')?.();
    await manualClock().pass(0);
    source.tell('d');
    expect(first.got).toEqual(['(snapshot 0 #1)', 'slow', 'b', 'c', 'd']);
    expect(second.got).toEqual(['c', 'd']);
    leave();
  });

  test('stops following when the last subscriber leaves; the end of the channel ends all subscriptions', () => {
    const fanOut = new FanOut<string, string>(manualClock());
    const source = numbersChannel();
    const [first, second] = [collector(), collector()];
    const leaveFirst = fanOut.join(source.channel, event => event, { cursor: null, sink: first.sink }).leave;
    const leaveSecond = fanOut.join(source.channel, event => event, { cursor: null, sink: second.sink }).leave;
    leaveFirst();
    source.tell('a');
    expect(source.listening()).toBe(1);
    expect([first.got.length, second.got.length]).toEqual([1, 2]);
    source.end();
    expect([first.isOver(), second.isOver()]).toEqual([false, true]);
    leaveSecond();
    expect(source.listening()).toBe(0);
  });
});
