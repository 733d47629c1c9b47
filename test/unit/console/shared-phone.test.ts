import { expect, test } from '@jest/globals';
import { NO_PHONE, type PhoneState } from '../../../console/phone/phone-state.ts';
import { type PhoneCommand, SharedPhone, type TabTools } from '../../../console/phone/shared-phone.ts';

/** The parts of a browser by which its tabs agree: one lock, given in the order of the requests, and one channel. */
class Tabs {
  readonly #waiting: (() => void)[] = [];
  readonly #channels = new Set<(message: never) => void>();
  #isHeld = false;

  open(name: string): Tab {
    return new Tab(name, this);
  }

  request = (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>): Promise<void> =>
    new Promise(resolve => {
      const begin = () => {
        if (signal.aborted) return this.#next(resolve);
        this.#isHeld = true;
        void work().then(() => this.#next(resolve));
      };
      if (this.#isHeld) this.#waiting.push(begin);
      else begin();
    });

  /** Releases the lock of a closed tab, as the browser does. */
  release(): void {
    this.#next(() => undefined);
  }

  channel(): TabTools['channel'] {
    let hear: ((event: { data: never }) => void) | null = null;
    const receive = (message: never) => hear?.({ data: message });
    this.#channels.add(receive);
    return {
      postMessage: message => {
        for (const each of this.#channels) if (each !== receive) each(structuredClone(message) as never);
      },
      addEventListener: (_type, listener) => (hear = listener as never),
      close: () => void this.#channels.delete(receive),
    };
  }

  #next(resolve: () => void): void {
    resolve();
    this.#isHeld = false;
    this.#waiting.shift()?.();
  }
}

class Tab {
  readonly commands: PhoneCommand[] = [];
  report: ((state: PhoneState) => void) | null = null;
  isClosed = false;
  readonly phone: SharedPhone;

  constructor(name: string, tabs: Tabs) {
    this.phone = new SharedPhone({ name, locks: tabs, channel: tabs.channel() }, report => {
      this.report = report;
      return { run: command => void this.commands.push(command), close: () => (this.isClosed = true) };
    });
  }
}

const REGISTERED: PhoneState = { ...NO_PHONE, extension: '1005', registration: 'registered' };

test('the first tab has the phone; a later one shows its state at once and steers it', () => {
  const tabs = new Tabs();
  const first = tabs.open('phone');
  first.report?.(REGISTERED);
  const second = tabs.open('phone');
  expect([first.phone.isHere(), second.phone.isHere()]).toEqual([true, false]);
  expect(second.phone.state()).toEqual(REGISTERED);
  second.phone.run({ name: 'answer' });
  first.phone.run({ name: 'hangUp' });
  expect(first.commands).toEqual([{ name: 'answer' }, { name: 'hangUp' }]);
  expect(second.commands).toEqual([]);
});

test('every change reaches the listeners of all tabs', () => {
  const tabs = new Tabs();
  const [first, second] = [tabs.open('phone'), tabs.open('phone')];
  const seen: string[] = [];
  first.phone.onChange(() => seen.push(`first ${first.phone.state().registration}`));
  second.phone.onChange(() => seen.push(`second ${second.phone.state().registration}`));
  first.report?.(REGISTERED);
  expect(seen).toEqual(['first registered', 'second registered']);
});

test('when the tab with the phone is gone, the next one takes over and forgets its state', () => {
  const tabs = new Tabs();
  const [first, second] = [tabs.open('phone'), tabs.open('phone')];
  first.report?.(REGISTERED);
  tabs.release();
  expect([second.phone.isHere(), second.phone.state()]).toEqual([true, NO_PHONE]);
});

test('a sign-out closes the phone and gives the lock to the next tab', async () => {
  const tabs = new Tabs();
  const [first, second] = [tabs.open('phone'), tabs.open('phone')];
  first.phone.close();
  await Promise.resolve();
  expect([first.isClosed, second.phone.isHere()]).toEqual([true, true]);
});
