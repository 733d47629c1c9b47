import type { Delivery, Envelope } from '#contract/nats/actor-messages.ts';
import { ActorRouter } from '#host/actor-router.ts';
import { withDeadline } from '#kernel/deadline.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import type { Dice } from './dice.ts';
import type { Instance } from './instance.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';
import { BUS, type Wire } from './wire.ts';

/** As in adapters/nats/actor-carrier.ts. */
const ANSWER_TIMEOUT_MS = 1_000;

export interface PostOptions {
  instance: Instance;
  wire: Wire;
  dice: Dice;
  log: Log;
  timeline: Timeline;
  climate: Weather;
  /** The queue group: every process that is there, also one that stands still. */
  members: readonly { instance: Instance; life: { engine: { actors: ActorRouter } } | null }[];
}

/** Messages between actors as the bus brings them: late, twice, or never, to any instance; one that stands still applies them when it goes on. */
export function simulatedRouter(options: PostOptions): ActorRouter {
  const { instance, wire, log } = options;
  const clock = instance.clock();
  const carry = (envelope: Envelope) =>
    withDeadline(
      clock,
      ANSWER_TIMEOUT_MS,
      wire.call(BUS, 'carry', [envelope], () => toSomebody(options, envelope)),
      unanswered,
    );
  return new ActorRouter({ carrier: { carry }, clock, log });
}

async function toSomebody(options: PostOptions, envelope: Envelope): Promise<Delivery> {
  const { members, dice, climate, timeline } = options;
  const there = members.filter(({ instance, life }) => instance.isUp && life !== null);
  if (there.length === 0) throw unanswered();
  if (climate.strikes('event_duplicate'))
    timeline.after(dice.between(1, 5_000), () => void handTo(dice.pick(there), envelope).catch(() => undefined));
  return handTo(dice.pick(there), envelope);
}

/** Nobody learns of the end of a process that dies with it. */
function handTo({ instance, life }: PostOptions['members'][number], envelope: Envelope): Promise<Delivery> {
  const { promise, resolve, reject } = Promise.withResolvers<Delivery>();
  // A refusal over the bus is no answer of a store.
  instance.after(1, () => void life?.engine.actors.deliver(envelope).then(resolve, () => reject(unanswered())));
  return promise;
}

function unanswered(): CalloutError {
  return new CalloutError('BUS_UNAVAILABLE', '消息总线暂不可用');
}
