import type { AgentEvent } from '#actors/agent/events.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import { agentOfLeg } from '#platform/freeswitch/channel-uuid.ts';
import { type AgentHost, sendToAgent } from './agent-actor.ts';

type ChannelEvent = Extract<SwitchEvent, { requestId: string }>;

/**
 * Forwards switch events of an agent's leg to the agent; returns false when the channel is no agent's leg.
 *
 * Why:    the leg's uuid contains its agent's id, so the end of a leg frees the agent, whatever became of the call that dialled it
 * Errors: CACHE_UNAVAILABLE; the event is lost then, and lease and probe make up for it
 */
export async function handleLegEvent(host: AgentHost, event: ChannelEvent): Promise<boolean> {
  const agentId = agentOfLeg(event.requestId);
  if (agentId === null) return false;
  const agentEvent = toAgentEvent(event);
  if (agentEvent) await sendToAgent(host, agentId, agentEvent, event.eventId);
  return true;
}

function toAgentEvent(event: ChannelEvent): AgentEvent | null {
  const { requestId: fence, cellId, at } = event;
  switch (event.kind) {
    case 'channel_created':
      return null;
    case 'ringing':
      return { type: 'legRinging', fence, cellId };
    case 'answered':
      return { type: 'legAnswered', fence, cellId, at };
    case 'hung_up':
      return { type: 'legEnded', fence, cause: event.cause, at };
    default:
      return event satisfies never;
  }
}
