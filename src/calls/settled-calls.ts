import type { Wake } from '#platform/nats/bus.ts';
import type { CampaignEvent } from '#actors/campaign/events.ts';
import type { BreakerSettings } from '#campaigns/decisions/breaker.ts';
import type { ActorMessage, Delivery, Envelope } from '#protocol/actor-messages.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { ActorSender } from '#platform/actor-host/actor-carrier.ts';
import type { Platform } from '#platform/platform.ts';

/** Window in which ended calls of a campaign become one message, in ms: each further message would cost a read of its row and add nothing. */
const LINGER_MS = 100;
const MAX_BATCH = 500;

/**
 * Sends the messages of calls; calls of one campaign that end at about the same time share one message.
 *
 * Errors: DATABASE_UNAVAILABLE
 */
export function gatheredSettlements({ actors, clock }: Pick<Platform, 'actors' | 'clock'>): ActorSender {
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
 * Receives messages to the campaigns' actors.
 *
 * Why: a message that changes nothing in the actor may still matter to a dispatch turn that has already read its state and is about to wait
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
