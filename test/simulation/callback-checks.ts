import { needsMonitor } from '#campaigns/campaign.ts';
import type { ContactRow, DialTables } from '../support/stores/dial-tables.ts';
import { giveUpHopeless } from '../support/stores/dial-promises.ts';
import type { Timeline } from './timeline.ts';

/** Interval of the looks, ms. */
const LOOK_MS = 1_000;
/** The product looks for hopeless promises as often (callbacks/watch-callbacks.ts), ms. */
const WATCH_MS = 5_000;
/** Longest time for which a due callback may wait while a slot is free, ms. */
const LIMIT_MS = 60_000;

export interface CallbackWorld {
  timeline: Timeline;
  tables: DialTables;
  /** Number of slots in use anywhere. */
  slotsInUse: () => number;
  /** Whether nothing has failed for a while: the promise is the product's alone to keep. */
  isCalm: () => boolean;
  /** Whether some runtime would take a call of the business, and has not been set aside for faults of its own. */
  hasRuntime: (businessCode: string) => boolean;
  /** Whether the campaign's pre-dial hook keeps the contact back. */
  isKeptBack: (contactId: number) => boolean;
  wake: (campaignId: number) => void;
  found: (invariant: string, detail: string) => void;
}

interface Waiting {
  dueAt: number;
  /** Time for which it could have been dialled, ms. */
  idleMs: number;
}

/**
 * I13: a promised callback is dialled within 60 s of its instant while a slot is free and its rules allow it, or has ended.
 *
 * Why: that no slot at all is in use is the one proof of a free one that depends on none of the product's counts
 */
export class CallbackChecks {
  /** Callbacks that were due while nothing failed, and those of them that were dialled or had ended in time. */
  readonly counts = { due: 0, inTime: 0 };
  readonly #world: CallbackWorld;
  readonly #waiting = new Map<number, Waiting>();

  constructor(world: CallbackWorld) {
    this.#world = world;
  }

  start(): void {
    const { timeline } = this.#world;
    const every = (ms: number, act: () => void): void => {
      timeline.after(ms, () => {
        act();
        every(ms, act);
      });
    };
    every(LOOK_MS, () => this.#look());
    every(WATCH_MS, () => giveUpHopeless(this.#world.tables).forEach(this.#world.wake));
  }

  #look(): void {
    const { tables, isCalm } = this.#world;
    this.#settle();
    for (const [contactId, { dueAt }] of tables.promises) {
      const contact = tables.contacts.get(contactId);
      if (!contact || dueAt > tables.now() || !isCalm()) continue;
      const known = this.#waiting.get(contactId) ?? { dueAt, idleMs: 0 };
      this.#waiting.set(contactId, known);
      if (this.#couldDial(contact)) this.#wait(contact, known);
    }
  }

  #wait({ id, status, holdReason, holdUntil }: ContactRow, waiting: Waiting): void {
    waiting.idleMs += LOOK_MS;
    if (waiting.idleMs <= LIMIT_MS) return;
    this.counts.due += 1;
    this.#world.found(
      'I13 callback kept waiting',
      `contact ${id}, due at ${waiting.dueAt}, although no slot is in use: ${status}, held by ${holdReason} until ${holdUntil}`,
    );
  }

  /** Counts the callbacks that were dialled, moved or ended since the last look. */
  #settle(): void {
    const { tables } = this.#world;
    for (const [contactId, { dueAt, idleMs }] of this.#waiting) {
      const isWaiting = tables.promises.get(contactId)?.dueAt === dueAt && tables.contacts.get(contactId)?.status !== 'submitted';
      if (isWaiting) continue;
      this.#waiting.delete(contactId);
      this.counts.due += 1;
      if (idleMs <= LIMIT_MS) this.counts.inTime += 1;
    }
  }

  /** The product's own decision about the contact does not count: a hold may be the very fault. */
  #couldDial(contact: ContactRow): boolean {
    const { tables, slotsInUse, hasRuntime, isKeptBack } = this.#world;
    const campaign = tables.campaigns.get(contact.campaignId);
    if (campaign?.status !== 'running' || (campaign.breaker ?? null)?.kind === 'open' || needsMonitor(campaign.businessConfig))
      return false;
    const entry = tables.doNotCall.get(contact.dialKey);
    const isListed = entry !== undefined && (entry.expiresAt === null || entry.expiresAt > tables.now());
    const isBarred = isListed || contact.status !== 'pending' || contact.holdReason === 'invalid_number';
    return !isBarred && !isKeptBack(contact.id) && slotsInUse() === 0 && hasRuntime(campaign.businessCode);
  }
}
