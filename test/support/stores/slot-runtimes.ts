import type { LostRuntime, PooledRuntime, PoolMember, RuntimePool } from '#ports/runtime-pool.ts';

interface Entry {
  member: PoolMember;
  seenAt: number;
  until: number;
}

/** Which call has its place where, as the slot book knows it. */
interface Places {
  callsOf(runtimeId: string): readonly string[];
  placeOf(requestId: string): string | null;
  /** Unknown calls are left alone. */
  move(requestId: string, runtimeId: string | null): void;
}

/** The pool of adapters/redis/scripts/run-pool-1.lua in memory: the same answers to the same questions. */
export class SlotRuntimes {
  readonly #entries = new Map<string, Entry>();
  readonly #options: { now: () => number; goneAfterMs: number; places: Places };

  constructor(options: { now: () => number; goneAfterMs: number; places: Places }) {
    this.#options = options;
  }

  clear(): void {
    this.#entries.clear();
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Those that take new calls of the business, with their free places. */
  open(businessCode: string): { id: string; free: number }[] {
    return [...this.#entries.values()]
      .filter(entry => this.#isThere(entry) && !entry.member.isDraining && serves(entry.member, businessCode))
      .map(entry => ({
        id: entry.member.runtimeId,
        free: this.#free(entry),
      }));
  }

  pool(): RuntimePool {
    const { now, goneAfterMs, places } = this.#options;
    return {
      beat: async member => {
        const known = this.#entries.get(member.runtimeId);
        const isNew = !known || !this.#isThere(known);
        this.#entries.set(member.runtimeId, { member, seenAt: now(), until: now() + goneAfterMs });
        return isNew ? 'new' : 'known';
      },
      bye: async runtimeId => {
        const known = this.#entries.get(runtimeId);
        if (known) known.until = now();
      },
      list: async () => [...this.#entries.values()].map(entry => this.#told(entry)),
      lost: async maxCalls => {
        const gone = [...this.#entries.values()].filter(entry => !this.#isThere(entry));
        return gone.map((entry): LostRuntime => {
          const requestIds = places.callsOf(entry.member.runtimeId).slice(0, maxCalls);
          if (requestIds.length === 0) this.#entries.delete(entry.member.runtimeId);
          return { ...this.#told(entry), requestIds };
        });
      },
      hold: async (requestId, runtimeId) => {
        if (!this.#entries.has(runtimeId))
          this.#entries.set(runtimeId, { member: unheard(runtimeId), seenAt: now(), until: now() + goneAfterMs });
        if (places.placeOf(requestId) !== runtimeId) places.move(requestId, runtimeId);
      },
      pick: async (requestId, { businessCode, resumes, tried }) => {
        const kept = places.placeOf(requestId);
        const fit = [...this.#entries.values()].filter(
          entry =>
            this.#isThere(entry) &&
            !tried.includes(entry.member.runtimeId) &&
            serves(entry.member, businessCode) &&
            (!resumes || entry.member.resumes),
        );
        const best =
          fit.find(entry => entry.member.runtimeId === kept) ??
          fit
            .filter(entry => !entry.member.isDraining && this.#free(entry) > 0)
            .reduce<Entry | null>((most, entry) => (most === null || this.#free(entry) > this.#free(most) ? entry : most), null);
        const id = best?.member.runtimeId ?? null;
        if (id !== kept) places.move(requestId, id);
        return id;
      },
    };
  }

  #isThere({ until }: Entry): boolean {
    return until > this.#options.now();
  }

  #free({ member }: Entry): number {
    return member.maxCalls - Math.max(member.active, this.#options.places.callsOf(member.runtimeId).length);
  }

  #told(entry: Entry): PooledRuntime {
    const calls = this.#options.places.callsOf(entry.member.runtimeId).length;
    return { ...entry.member, seenAt: entry.seenAt, isGone: !this.#isThere(entry), calls };
  }
}

function unheard(runtimeId: string): PoolMember {
  return { runtimeId, name: runtimeId, version: '', contract: 1, maxCalls: 0, active: 0, isDraining: true, resumes: false, nodeTypes: [] };
}

function serves({ businessCodes }: PoolMember, businessCode: string): boolean {
  return businessCodes === undefined || businessCodes.includes(businessCode);
}
