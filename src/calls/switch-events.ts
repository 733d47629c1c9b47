import { callStatusOf } from '#protocol/call-status.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { CallHost } from './call-actor.ts';
import { adoptCall, type AdoptDeps } from './adopt-call.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';

export interface SwitchEventDeps extends AdoptDeps, OutcomesPart, Pick<Platform, 'switchPort' | 'log'> {
  calls: CallHost;
}

type ChannelEvent = Extract<SwitchEvent, { requestId: string }>;

/**
 * Applies a switch event to the call's actor. Every instance receives every event; the event id makes only the first one count.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE; the event is then lost, and the reconciler finds what it reported
 */
export async function handleChannelEvent(deps: SwitchEventDeps, event: ChannelEvent): Promise<void> {
  const callEvent = toCallEvent(event);
  const outcome = await deps.calls.send(event.requestId, callEvent, event.eventId);
  if (outcome.kind === 'absent') await handleUnknown(deps, event, callEvent);
}

/** Handles a channel without an actor: a call whose live state was lost, a call that has ended, or a channel of another system. */
async function handleUnknown(deps: SwitchEventDeps, event: ChannelEvent, callEvent: CallEvent): Promise<void> {
  if (await adoptCall(deps, event.requestId)) {
    await deps.calls.send(event.requestId, callEvent, event.eventId);
    return;
  }
  if (event.kind === 'hung_up') return;
  const [attempt] = await deps.dials.findAttempts([event.requestId]);
  if (!attempt) return;
  deps.log.warn({ requestId: event.requestId, cellId: event.cellId }, 'a channel of a closed attempt was hung up');
  await deps.switchPort.hangup(event.cellId, event.requestId, 'ORIGINATOR_CANCEL');
}

function toCallEvent(event: ChannelEvent): CallEvent {
  switch (event.kind) {
    case 'channel_created':
      return { type: 'channelCreated' };
    case 'ringing':
      return { type: 'channelRinging' };
    case 'answered':
      return { type: 'channelAnswered', at: event.at };
    case 'hung_up':
      return {
        type: 'channelHungUp',
        at: event.at,
        cause: event.cause,
        callStatus: callStatusOf(event.cause),
        by: event.by,
        answeredAt: event.answeredAt,
        ...(event.isSilent === true ? { isSilent: true } : {}),
      };
    default:
      return event satisfies never;
  }
}
