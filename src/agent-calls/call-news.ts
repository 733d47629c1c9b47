import type { AgentCallEvent } from '#actors/agent-call/events.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import { isCustomerLeg } from '#platform/freeswitch/channel-uuid.ts';
import type { AgentCallHost } from './agent-call-actor.ts';

type ChannelEvent = Extract<SwitchEvent, { requestId: string }>;

/** Forwards switch events of a customer's channel to its call. Errors: CACHE_UNAVAILABLE; a probe then makes up for the lost event */
export async function handleCustomerEvent(host: AgentCallHost, event: SwitchEvent): Promise<void> {
  if (!('requestId' in event) || !isCustomerLeg(event.requestId)) return;
  await host.send(event.requestId, customerEvent(event), event.eventId);
}

function customerEvent(event: ChannelEvent): AgentCallEvent {
  switch (event.kind) {
    case 'channel_created':
      return { type: 'customerSent' };
    case 'ringing':
      return { type: 'customerRinging' };
    case 'answered':
      return { type: 'customerAnswered', at: event.at };
    case 'hung_up':
      return { type: 'customerHungUp', cause: event.cause, by: event.by, answeredAt: event.answeredAt, at: event.at };
    default:
      return event satisfies never;
  }
}
