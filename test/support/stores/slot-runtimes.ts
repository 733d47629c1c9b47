import { type LostRuntime, type PooledRuntime, type PoolMember, type RuntimePool, unheardRuntime } from '#ports/runtime-pool.ts';
import { servesBusiness } from '#rules/runtime-places.ts';

/** As in adapters/redis/runtime-pool.ts. */
const MAX_RUNTIMES = 500;

interface Entry {
  member: PoolMember;
  seenAt: number;
  until: number;
}

interface SlotRuntimesOptions {
  now: () => number;
  goneAfterMs: number;
  /** It holds a slot, or nobody knows who holds one. */
  mayHavePlace: (requestId: string) => boolean;
}

/** The pool of adapters/redis/scripts/run-pool-1.lua in memory: the same answers to the same questions. */
export class SlotRuntimes {
  readonly #entries = new Map<string, Entry>();
  /** Request id → runtime id. Beside the slots: a call keeps its runtime while the registry is COLD. */
  readonly #places = new Map<string, string>();
  readonly #options: SlotRuntimesOptions;

  constructor(options: SlotRuntimesOptions) {
    this.#options = options;
  }

  clear(): void {
    this.#entries.clear();
    this.#places.clear();
  }

  place(requestId: string, runtimeId: string): void {
    this.#places.set(requestId, runtimeId);
  }

  leave(requestId: string): void {
    this.#places.delete(requestId);
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Those that take new calls of the business, with their free places. */
  open(businessCode: string): { id: string; free: number }[] {
    return [...this.#entries.values()]
      .filter(entry => this.#isThere(entry) && !entry.member.isDraining && servesBusiness(entry.member, businessCode))
      .map(entry => ({
        id: entry.member.runtimeId,
        free: this.#free(entry),
      }));
  }

  pool(): RuntimePool {
    const { now, goneAfterMs, mayHavePlace } = this.#options;
    return {
      beat: async member => {
        const known = this.#entries.get(member.runtimeId);
        if (!known && this.#entries.size >= MAX_RUNTIMES) return 'full';
        const isNew = !known || !this.#isThere(known);
        this.#entries.set(member.runtimeId, { member, seenAt: now(), until: now() + goneAfterMs });
        return isNew ? 'new' : 'known';
      },
      bye: async runtimeId => {
        const known = this.#entries.get(runtimeId);
        if (known) known.until = now();
      },
      size: async () => this.#entries.size,
      list: async () => [...this.#entries.values()].map(entry => this.#told(entry)),
      lost: async maxCalls => {
        const gone = [...this.#entries.values()].filter(entry => !this.#isThere(entry));
        return gone.map((entry): LostRuntime => {
          const requestIds = this.#callsOf(entry.member.runtimeId).slice(0, maxCalls);
          if (requestIds.length === 0) this.#entries.delete(entry.member.runtimeId);
          return { ...this.#told(entry), requestIds };
        });
      },
      hold: async calls => {
        for (const { requestId, runtimeId } of calls) {
          if (!this.#entries.has(runtimeId))
            this.#entries.set(runtimeId, { member: unheardRuntime(runtimeId), seenAt: now(), until: now() + goneAfterMs });
          if (mayHavePlace(requestId)) this.place(requestId, runtimeId);
          else this.leave(requestId);
        }
      },
      pick: async (requestId, { businessCode, resumes, tried }) => {
        const kept = this.#places.get(requestId);
        const fit = [...this.#entries.values()].filter(
          entry =>
            this.#isThere(entry) &&
            !tried.includes(entry.member.runtimeId) &&
            servesBusiness(entry.member, businessCode) &&
            (!resumes || entry.member.resumes),
        );
        const best =
          fit.find(entry => entry.member.runtimeId === kept) ??
          fit
            .filter(entry => !entry.member.isDraining && this.#free(entry) > 0)
            .reduce<Entry | null>((most, entry) => (most === null || this.#free(entry) > this.#free(most) ? entry : most), null);
        const id = best?.member.runtimeId ?? null;
        if (id === null || !mayHavePlace(requestId)) this.leave(requestId);
        else this.place(requestId, id);
        return id;
      },
    };
  }

  #callsOf(runtimeId: string): string[] {
    return [...this.#places].filter(([, id]) => id === runtimeId).map(([requestId]) => requestId);
  }

  #isThere({ until }: Entry): boolean {
    return until > this.#options.now();
  }

  #free({ member }: Entry): number {
    return member.maxCalls - Math.max(member.active, this.#callsOf(member.runtimeId).length);
  }

  #told(entry: Entry): PooledRuntime {
    const calls = this.#callsOf(entry.member.runtimeId).length;
    return { ...entry.member, seenAt: entry.seenAt, ageMs: this.#options.now() - entry.seenAt, isGone: !this.#isThere(entry), calls };
  }
}

/** The first of those with most room; null when none has any. */
export function mostFree<Place extends { free: number }>(places: readonly Place[]): Place | null {
  return places.reduce<Place | null>((most, each) => (each.free > (most?.free ?? 0) ? each : most), null);
}
