import type { SoftphoneStore } from '#agent-calls/agent-call.ts';
import { FLOOR_CELL } from './floor-agents.ts';

interface Call {
  id: number;
  requestId: string;
  isOpen: boolean;
  answeredAt: number | null;
  createdAt: number;
  legs: { legUuid: string; role: 'agent' | 'customer'; cellId: string; isReserved: boolean }[];
}

/** Call records and slots of agents' calls in memory, with the semantics of their stores. */
export class CallRecords {
  readonly slots = new Set<string>();
  readonly #calls = new Map<number, Call>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly ports = {
    softphoneCalls: {
      markDialing: async legUuid => this.#mark(legUuid),
      isWithdrawn: async legUuid => this.#holderOf(legUuid)?.isOpen === true && this.#legOf(legUuid)?.isReserved === true,
      advance: async (callId, _status, facts) => this.#advance(callId, facts),
      close: async callId => this.#close(callId),
      listOpen: async afterId => (afterId === 0 ? [...this.#calls.values()].filter(call => call.isOpen) : []) as never,
    } satisfies Partial<SoftphoneStore>,
    conferences: { changeLeg: async () => null },
    slots: {
      permit: async (asks: readonly { requestId: string }[]) =>
        asks.map(({ requestId }) =>
          this.slots.has(requestId) ? { requestId, outcome: 'booked', waitMs: 0, lateMs: 20 } : { requestId, outcome: 'gone' },
        ),
      release: async (requestIds: readonly string[]) => requestIds.filter(requestId => this.slots.delete(requestId)).length,
    },
  };

  create(requestId: string, fence: string): number {
    const id = this.#calls.size + 1;
    const legs = [
      { legUuid: fence, role: 'agent' as const, cellId: FLOOR_CELL, isReserved: true },
      { legUuid: requestId, role: 'customer' as const, cellId: FLOOR_CELL, isReserved: true },
    ];
    this.#calls.set(id, { id, requestId, isOpen: true, answeredAt: null, createdAt: this.#now(), legs });
    return id;
  }

  open(): string[] {
    return [...this.#calls.values()].filter(call => call.isOpen).map(call => call.requestId);
  }

  /** Customer leg of the call to which an agent's leg belongs. */
  customerOf(fence: string): string | undefined {
    return this.#holderOf(fence)?.requestId;
  }

  answers(): { requestId: string; answeredAt: number }[] {
    return [...this.#calls.values()].flatMap(({ requestId, answeredAt }) => (answeredAt === null ? [] : [{ requestId, answeredAt }]));
  }

  #advance(callId: number, { answeredAt }: { answeredAt?: number } = {}): boolean {
    const call = this.#calls.get(callId);
    if (call && answeredAt !== undefined) call.answeredAt = answeredAt;
    return true;
  }

  #mark(legUuid: string): boolean {
    const leg = this.#legOf(legUuid);
    if (!leg?.isReserved || this.#holderOf(legUuid)?.isOpen !== true) return false;
    leg.isReserved = false;
    return true;
  }

  #close(callId: number): boolean {
    const call = this.#calls.get(callId);
    if (!call?.isOpen) return false;
    call.isOpen = false;
    return true;
  }

  #holderOf(legUuid: string): Call | undefined {
    return [...this.#calls.values()].find(call => call.legs.some(leg => leg.legUuid === legUuid));
  }

  #legOf(legUuid: string) {
    return this.#holderOf(legUuid)?.legs.find(leg => leg.legUuid === legUuid);
  }
}
