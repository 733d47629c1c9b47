import type { Wake } from '#ports/bus.ts';
import type { CampaignEvent } from '#actors/campaign/events.ts';
import type { BreakerSettings } from '#rules/breaker.ts';
import type { ActorMessage, Delivery, Envelope } from '#contract/nats/actor-messages.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { ActorSender } from '#ports/actor-carrier.ts';
import type { Ports } from '#ports/ports.ts';

/** Calls that are over in this time are one message to their campaign: more would cost a row's read each and say no more. ms */
const LINGER_MS = 100;
const MAX_BATCH = 500;

/**
 * The sender of calls: those of one campaign that are over at about the same time are one message to it.
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export function gatheredSettlements({ actors, clock }: Pick<Ports, 'actors' | 'clock'>): ActorSender {
  const batcher = new MicroBatcher<Envelope, Delivery>({
    maxBatch: MAX_BATCH,
    linger: leave => clock.schedule(LINGER_MS, leave),
    async write(envelopes) {
      const oneOfEach = new Map(envelopes.map(envelope => [envelope.to.id, envelope]));
      const sent = await Promise.all(Array.from(oneOfEach, async ([id, envelope]) => [id, await actors.send(envelope)] as const));
      const outcomes = new Map(sent);
      return envelopes.map(({ to }) => outcomes.get(to.id) ?? 'absent');
    },
  });
  return { send: envelope => (envelope.event.type === 'callSettled' ? batcher.add(envelope) : actors.send(envelope)) };
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
