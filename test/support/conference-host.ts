import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { type ConferenceApp, conferenceAggregate, type ConferenceHost, type SessionEvent } from '#conferences/conference-actor.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { conferenceKind } from '#conferences/effects.ts';
import { ActorHost, type ActorKind } from '#platform/actor-host/actor-host.ts';
import type { ActorStore } from '#platform/actor-host/actor-store.ts';
import { MemoryActorStore } from './memory-actor-store.ts';

type Kind = ActorKind<ConferenceSession, SessionEvent>;

/** A host of conferences over a store, as of one instance; without `executors` its effects do nothing but stay in the outbox of a lost instance. */
export function conferenceHostOver(store: ActorStore, kind: Partial<Kind> = {}): ConferenceHost {
  return new ActorHost(
    { store, clock: systemClock, random: seededRandom(1), ids: systemIds, log: silentLog },
    { aggregate: conferenceAggregate(), executors: {}, ...kind },
  );
}

/** One conference in memory, with its real effects over the fakes of `app`. */
export async function conferenceInMemory(session: ConferenceSession, app: object, kind: Partial<Kind> = {}) {
  const store = new MemoryActorStore();
  const whole = (): ConferenceApp => ({ ...app, conferenceHost }) as ConferenceApp;
  const conferenceHost = conferenceHostOver(store, { ...conferenceKind(whole), ...kind });
  await conferenceHost.create(String(session.id), { state: session, effects: [], timers: {} }, '', 'open');
  return { app: whole(), now: async () => (await conferenceHost.find(String(session.id)))?.state };
}
