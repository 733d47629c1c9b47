import type { CallEvent } from '#actors/call/events.ts';
import type { CampaignEvent } from '#actors/campaign/events.ts';
import type { BreakerSettings, DialEnd } from '#campaigns/decisions/breaker.ts';
import { MicroBatcher } from '#kernel/micro-batcher.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';
import type { ActorSender } from '#platform/actor-host/actor-carrier.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import type { Wake } from '#platform/nats/bus.ts';
import type { Platform } from '#platform/platform.ts';
import type { ActorMessage, Delivery, Envelope } from '#protocol/actor-messages.ts';
import { callStatusOf, isNetworkCause } from '#protocol/call-status.ts';
import type { CallsPart } from './call-actor.ts';
import { adoptCall } from './find-call.ts';

/** Notifies campaigns of how their dials ended; never blocks and never throws, because a lost note costs only precision. */
export interface DialNotes {
  ended(campaignId: number, end: DialEnd): void;
}

export interface DialNotesPart {
  notes: DialNotes;
}

/** Batching delay after a failure, which may open the breaker; earlier notes leave with it, in ms. */
const FAILURE_LINGER_MS = 50;
/** Batching delay of notes about reached customers, which are not urgent: each batch is a commit of the campaign, in ms. */
const CALM_MS = 1_000;
const MAX_NOTES = 500;

interface Note {
  campaignId: number;
  end: DialEnd;
}

export function dialNotes(app: Pick<Platform, 'actors' | 'clock' | 'ids' | 'log'>): DialNotes {
  let leaveSoon = (): unknown => undefined;
  const notes = new MicroBatcher<Note>({
    maxBatch: MAX_NOTES,
    linger: leave => {
      app.clock.schedule(CALM_MS, leave);
      leaveSoon = () => app.clock.schedule(FAILURE_LINGER_MS, leave);
    },
    write: batch => sendNotes(app, batch),
  });
  return {
    ended(campaignId, end) {
      notes.add({ campaignId, end }).catch((error: unknown) => app.log.debug({ err: error, campaignId }, 'ends of dials were not noted'));
      if (end.outcome !== 'reached') leaveSoon();
    },
  };
}

/** End of an unanswered call: failed when the network refused it. */
export function unansweredEnd(requestId: string, cause: string | null): DialEnd {
  if (cause === null) return { requestId, outcome: 'void', cause };
  return { requestId, outcome: isNetworkCause(cause) ? 'failed' : 'reached', cause };
}

async function sendNotes({ actors, clock, ids }: Pick<Platform, 'actors' | 'clock' | 'ids'>, notes: readonly Note[]): Promise<void> {
  const byCampaign = Map.groupBy(notes, note => note.campaignId);
  const send = ([campaignId, own]: [number, Note[]]) => {
    const event = { type: 'dialsEnded', at: clock.now(), ends: own.map(note => note.end) } as const;
    return actors.send({ to: { type: 'campaign', id: String(campaignId) }, event, commandId: `ends:${ids()}` });
  };
  await Promise.all(Array.from(byCampaign, send));
}

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

interface ReceiverOptions {
  campaigns: Campaigns<CampaignEvent>;
  wake: Wake;
  breaker: BreakerSettings;
}

/**
 * Receives messages to the campaigns' actors.
 *
 * Why: a message that changes nothing in the actor may still matter to a dispatch turn that has already read its state and is about to wait
 */
export function campaignReceiver({ campaigns, wake, breaker }: ReceiverOptions): Campaigns<ActorMessage<'campaign'>> {
  return {
    async send(campaignId, message, commandId) {
      const event = message.type === 'dialsEnded' ? { ...message, settings: breaker } : message;
      const outcome = await campaigns.send(campaignId, event, commandId);
      if (outcome.kind === 'ignored' && event.type === 'callSettled') wake.campaign(Number(campaignId));
      return outcome;
    },
  };
}

type ChannelEvent = Extract<SwitchEvent, { requestId: string }>;

/**
 * Applies a switch event to the call's actor. Every instance receives every event; the event id makes only the first one count.
 *
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE; the event is then lost, and the reconciler finds what it reported
 */
export async function handleChannelEvent(
  app: CallsPart & OutcomesPart & Pick<Platform, 'switchPort' | 'clock' | 'log'>,
  event: ChannelEvent,
): Promise<void> {
  const callEvent = toCallEvent(event);
  const outcome = await app.calls.send(event.requestId, callEvent, event.eventId);
  if (outcome.kind === 'absent') await handleUnknown(app, event, callEvent);
}

/** Handles a channel without an actor: a call whose live state was lost, a call that has ended, or a channel of another system. */
async function handleUnknown(
  app: CallsPart & OutcomesPart & Pick<Platform, 'switchPort' | 'clock' | 'log'>,
  event: ChannelEvent,
  callEvent: CallEvent,
): Promise<void> {
  if (await adoptCall(app, event.requestId)) {
    await app.calls.send(event.requestId, callEvent, event.eventId);
    return;
  }
  if (event.kind === 'hung_up') return;
  const [attempt] = await app.dials.findAttempts([event.requestId]);
  if (!attempt) return;
  app.log.warn({ requestId: event.requestId, cellId: event.cellId }, 'a channel of a closed attempt was hung up');
  await app.switchPort.hangup(event.cellId, event.requestId, 'ORIGINATOR_CANCEL');
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
        signals: {
          sipStatus: event.sipStatus ?? null,
          q850: event.q850 ?? null,
          progressAt: event.progressAt,
          mediaAt: event.mediaAt ?? null,
        },
        ...(event.isSilent === true ? { isSilent: true } : {}),
      };
    default:
      return event satisfies never;
  }
}
