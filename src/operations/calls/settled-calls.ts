import type { Wake } from '#ports/bus.ts';
import type { CampaignEvent } from '#actors/campaign/events.ts';
import type { BreakerSettings } from '#rules/breaker.ts';
import { messageId } from '#host/actor-router.ts';
import type { EffectContext } from '#host/actor-host.ts';
import type { ActorMessage, Delivery } from '#contract/nats/actor-messages.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { Ports } from '#ports/ports.ts';

/** Calls that are over in this time are one message to their campaign: more would cost a row's read each and say no more. ms */
const LINGER_MS = 50;
const MAX_BATCH = 500;

interface SettledCall {
  campaignId: number;
  commandId: string;
}

/** Lets campaigns know that calls of theirs are over; the promise ends when the campaign has heard of it. Errors: DATABASE_UNAVAILABLE */
export type SettledCalls = (campaignId: number, context: Pick<EffectContext<unknown>, 'type' | 'id' | 'effectId'>) => Promise<void>;

export function settledCalls({ actors, clock }: Pick<Ports, 'actors' | 'clock'>): SettledCalls {
  const batcher = new MicroBatcher<SettledCall>({
    maxBatch: MAX_BATCH,
    linger: leave => clock.schedule(LINGER_MS, leave),
    async write(calls) {
      const oneOfEach = new Map(calls.map(call => [call.campaignId, call]));
      await Promise.all(Array.from(oneOfEach.values(), send));
    },
  });
  const send = ({ campaignId, commandId }: SettledCall) =>
    actors.send({ to: { type: 'campaign', id: String(campaignId) }, event: { type: 'callSettled', at: clock.now() }, commandId });
  return (campaignId, context) => batcher.add({ campaignId, commandId: messageId(context) });
}

interface Campaigns<Event> {
  send(campaignId: string, event: Event, commandId: string): Promise<{ kind: Delivery }>;
}

interface ReceiverDeps {
  campaigns: Campaigns<CampaignEvent>;
  wake: Wake;
  breaker: BreakerSettings;
}

/**
 * The campaigns' actors as receivers of messages.
 *
 * Why: what changes nothing in an actor that dials may still be news to a turn that has looked already and is about to wait
 */
export function campaignReceiver({ campaigns, wake, breaker }: ReceiverDeps): Campaigns<ActorMessage<'campaign'>> {
  return {
    async send(campaignId, message, commandId) {
      const event = message.type === 'dialsEnded' ? { ...message, settings: breaker } : message;
      const outcome = await campaigns.send(campaignId, event, commandId);
      if (outcome.kind === 'ignored' && event.type === 'callSettled') wake.campaign(Number(campaignId));
      return outcome;
    },
  };
}
