import type { AgentEffects } from '#actors/agent/effects.ts';
import type { AgentEvent } from '#actors/agent/events.ts';
import type { Executors } from '#platform/actor-host/actor-host.ts';
import { messageSender } from '#platform/actor-host/actor-router.ts';
import { unlessUnreachable } from '#kernel/errors.ts';
import type { ChannelState, SwitchPort } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { AgentHost, AgentState } from './agent-actor.ts';

export interface AgentEffectDeps extends Pick<Platform, 'actors' | 'clock' | 'log'> {
  switchPort: Pick<SwitchPort, 'hangup' | 'probe'>;
  /** The host that runs these executors; a function, because host and executors need each other. */
  host(): AgentHost;
}

/** Executors of an agent's effects; each is idempotent, because it may run again after a crash. */
export function agentEffects(deps: AgentEffectDeps): Executors<AgentEffects, AgentState> {
  return {
    sendTo: messageSender(deps),
    // An unreachable cell reports nothing: timers probe again, and a leg that comes up late is ended by its tombstone.
    killLeg: async ({ fence, cellId, cause }) => {
      await unlessUnreachable(() => deps.switchPort.hangup(cellId, fence, cause));
    },
    async probeLeg({ fence, cellId, legUuid }, { id, effectId }) {
      const leg = await unlessUnreachable(() => deps.switchPort.probe(cellId, legUuid ?? fence));
      if (leg) await deps.host().send(id, foundEvent({ fence, cellId, legUuid }, leg, deps.clock.now()), `${effectId}:${leg.kind}`);
    },
  };
}

function foundEvent({ fence, cellId, legUuid }: AgentEffects['probeLeg'], leg: ChannelState, now: number): AgentEvent {
  switch (leg.kind) {
    case 'absent':
      return { type: 'legMissing', fence, cause: 'UNKNOWN', at: now };
    case 'ringing':
      return { type: 'legRinging', fence, cellId };
    case 'answered':
      return { type: 'legAnswered', fence, cellId, legUuid, at: leg.answeredAt };
    default:
      return leg satisfies never;
  }
}
