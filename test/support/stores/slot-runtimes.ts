import {
  type LostRuntime,
  type PooledRuntime,
  type PoolMember,
  type RuntimePool,
  servesBusiness,
  unheardRuntime,
} from '#runtimes/runtime-pool.ts';
import {
  FIRST_PAUSE_MS,
  LONGEST_PAUSE_MS,
  RESTS_MS,
  type RuntimeCare,
  type RuntimeFact,
  type RuntimeVerdict,
  TRIAL_MS,
} from '#runtimes/decisions/runtime-care.ts';

/** Same value as in runtimes/runtime-pool-store.ts. */
const MAX_RUNTIMES = 500;

interface Entry {
  member: PoolMember;
  seenAt: number;
  until: number;
}

interface Faults {
  unanswered: number;
  silent: number;
  until: number;
  why: 'unanswered' | 'silent' | null;
}

interface Closing {
  unserved: number;
  until: number;
  pauseMs: number;
  isTrial: boolean;
}

const NO_FAULTS: Faults = { unanswered: 0, silent: 0, until: 0, why: null };

interface SlotRuntimesOptions {
  now: () => number;
  goneAfterMs: number;
  /** Whether the request holds a slot, or the holders are unknown. */
  mayHavePlace: (requestId: string) => boolean;
}

/** The pool of runtimes/lua/run-pool-1.lua in memory: the same answers to the same requests. */
export class SlotRuntimes {
  readonly #entries = new Map<string, Entry>();
  /** Request id → runtime id. Kept apart from the slots because a call keeps its runtime while the registry is COLD. */
  readonly #places = new Map<string, string>();
  readonly #faults = new Map<string, Faults>();
  readonly #closings = new Map<string, Closing>();
  readonly #options: SlotRuntimesOptions;

  constructor(options: SlotRuntimesOptions) {
    this.#options = options;
  }

  clear(): void {
    this.#entries.clear();
    this.#places.clear();
    this.#faults.clear();
    this.#closings.clear();
  }

  /** `trial`: one call may be dialled. */
  admits(businessCode: string): 'all' | 'none' | 'trial' {
    const closing = this.#closings.get(businessCode);
    if (!closing || closing.until === 0) return 'all';
    return closing.until > this.#options.now() ? 'none' : 'trial';
  }

  beginTrial(businessCode: string): void {
    const closing = this.#closings.get(businessCode);
    if (closing) Object.assign(closing, { until: this.#options.now() + TRIAL_MS, isTrial: true });
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

  /** Runtimes that accept new calls of the business, with their free places. */
  open(businessCode: string): { id: string; free: number }[] {
    return [...this.#entries.values()]
      .filter(
        entry =>
          this.#isThere(entry) &&
          this.#aside(entry.member.runtimeId) === null &&
          !entry.member.isDraining &&
          servesBusiness(entry.member, businessCode),
      )
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
          if (requestIds.length === 0) {
            this.#entries.delete(entry.member.runtimeId);
            this.#faults.delete(entry.member.runtimeId);
          }
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
            this.#aside(entry.member.runtimeId) === null &&
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
      note: async (fact, care) => {
        if (fact.kind === 'unserved') return this.#noteUnserved(fact.businessCode, care);
        return fact.kind === 'spoke' ? this.#noteSpoke(fact) : this.#noteRuntime(fact, care);
      },
      closedBusinesses: async () => [...this.#closings].filter(([, { until }]) => until > 0).map(([code]) => code),
    };
  }

  /** Whether the runtime does not rest for faults of its own, and the business is not closed for those of all. */
  isTrusted(runtimeId: string, businessCode: string): boolean {
    return this.#aside(runtimeId) === null && this.admits(businessCode) !== 'none';
  }

  #aside(runtimeId: string): Faults['why'] {
    const { until, why } = this.#faults.get(runtimeId) ?? NO_FAULTS;
    return until > this.#options.now() ? why : null;
  }

  #noteRuntime(fact: Extract<RuntimeFact, { kind: 'answered' | 'unanswered' | 'silent' }>, care: RuntimeCare): RuntimeVerdict | null {
    const { kind, runtimeId } = fact;
    const aside = this.#aside(runtimeId);
    const faults = { ...(this.#faults.get(runtimeId) ?? NO_FAULTS) };
    let verdict: RuntimeVerdict | null = null;
    if (kind === 'answered') {
      faults.unanswered = 0;
      if (aside === 'unanswered') {
        Object.assign(faults, { until: 0, why: null });
        verdict = 'back';
      }
    } else {
      faults[kind] += 1;
      const isTooOften = faults[kind] >= (kind === 'silent' ? care.maxSilent : care.maxUnanswered);
      if (isTooOften && aside === null) {
        const rests = kind === 'silent' ? { until: this.#options.now() + RESTS_MS, silent: care.maxSilent - 1 } : { until: Infinity };
        Object.assign(faults, rests, { why: kind });
        verdict = 'aside';
      }
    }
    if (faults.unanswered === 0 && faults.silent === 0 && faults.until <= this.#options.now()) this.#faults.delete(runtimeId);
    else if (this.#entries.has(runtimeId)) this.#faults.set(runtimeId, faults);
    return verdict;
  }

  #noteUnserved(businessCode: string, { maxUnserved }: RuntimeCare): RuntimeVerdict | null {
    const closing = { ...(this.#closings.get(businessCode) ?? { unserved: 0, until: 0, pauseMs: 0, isTrial: false }) };
    if (closing.until > this.#options.now() && !closing.isTrial) return null;
    closing.unserved += 1;
    closing.isTrial = false;
    const closes = closing.unserved >= maxUnserved;
    if (closes) {
      closing.pauseMs = closing.pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(2 * closing.pauseMs, LONGEST_PAUSE_MS);
      closing.until = this.#options.now() + closing.pauseMs;
      closing.unserved = maxUnserved - 1;
    }
    this.#closings.set(businessCode, closing);
    return closes ? 'closed' : null;
  }

  #noteSpoke({ runtimeId, businessCode }: Extract<RuntimeFact, { kind: 'spoke' }>): RuntimeVerdict | null {
    const wasAside = runtimeId !== null && this.#aside(runtimeId) !== null;
    if (runtimeId !== null) this.#faults.delete(runtimeId);
    const wasClosed = (this.#closings.get(businessCode)?.until ?? 0) > 0;
    this.#closings.delete(businessCode);
    if (wasClosed) return 'open';
    return wasAside ? 'back' : null;
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
    return {
      ...entry.member,
      seenAt: entry.seenAt,
      ageMs: this.#options.now() - entry.seenAt,
      isGone: !this.#isThere(entry),
      aside: this.#aside(entry.member.runtimeId),
      calls,
    };
  }
}

/** The place with most room, the first one on a tie; null when none has room. */
export function mostFree<Place extends { free: number }>(places: readonly Place[]): Place | null {
  return places.reduce<Place | null>((most, each) => (each.free > (most?.free ?? 0) ? each : most), null);
}
