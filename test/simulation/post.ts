import type { Delivery, Envelope } from '#protocol/actor-messages.ts';
import { ActorRouter } from '#platform/actor-host/actor-router.ts';
import { withDeadline } from '#kernel/deadline.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import type { Dice } from './dice.ts';
import type { Instance } from './instance.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';
import { BUS, type Wire } from './wire.ts';

/** Same value as in platform/nats/actor-carrier.ts. */
const ANSWER_TIMEOUT_MS = 1_000;

export interface PostOptions {
  instance: Instance;
  wire: Wire;
  dice: Dice;
  log: Log;
  timeline: Timeline;
  climate: Weather;
  /** The queue group: every running process, including paused ones. */
  members: readonly { instance: Instance; life: { engine: { actors: ActorRouter } } | null }[];
}

/** Carries messages between actors like the bus: late, twice or never, to any instance. A paused instance applies them when it resumes. */
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

/** Delivers to one process. If that dies, its result is never reported. */
function handTo({ instance, life }: PostOptions['members'][number], envelope: Envelope): Promise<Delivery> {
  const { promise, resolve, reject } = Promise.withResolvers<Delivery>();
  // The bus hides errors of the receiving process, so a refusal looks like a missing reply.
  instance.after(1, () => void life?.engine.actors.deliver(envelope).then(resolve, () => reject(unanswered())));
  return promise;
}

function unanswered(): CalloutError {
  return new CalloutError('BUS_UNAVAILABLE', '消息总线暂不可用');
}
