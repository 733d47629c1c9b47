import { expect, test } from '@jest/globals';
import { natsWakes } from '#platform/nats/signals.ts';
import type { Bus, BusMessage } from '#platform/nats/bus.ts';

/** A fake bus that delivers published messages to its own subscribers, as NATS does, while it is up. */
function busDouble() {
  const subscribers = new Set<(message: BusMessage) => void>();
  const watchers = new Set<(isUp: boolean) => void>();
  let isUp = true;
  const bus: Bus = {
    publish(subject) {
      if (isUp) for (const listener of subscribers) listener({ subject, body: {} });
    },
    publishCalmly: () => undefined,
    request: () => Promise.reject(new Error('not asked')),
    subscribe(_subject, _options, listener) {
      subscribers.add(listener);
      return () => subscribers.delete(listener);
    },
    consumeReports: () => Promise.reject(new Error('not asked')),
    isConnected: () => isUp,
    onChange(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
  };
  const turn = (now: boolean) => {
    isUp = now;
    for (const watcher of watchers) watcher(now);
  };
  return { bus, turn };
}

test('a wake reaches this instance once, with or without the bus; a reconnect wakes all campaigns [A4]', () => {
  const { bus, turn } = busDouble();
  const { wake, listen } = natsWakes(bus);
  const heard: (number | null)[] = [];
  const stop = listen(campaignId => heard.push(campaignId));
  wake.campaign(1);
  turn(false);
  wake.campaign(2);
  turn(true);
  wake.campaign(3);
  expect(heard).toEqual([1, 2, null, 3]);
  stop();
  wake.campaign(4);
  turn(false);
  wake.campaign(5);
  expect(heard).toHaveLength(4);
});
