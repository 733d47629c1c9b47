import { isCalloutError } from '#kernel/errors.ts';
import type { ResultReport } from '#outcomes/outcome-store.ts';
import type { CallHolder, ProbeAnswer } from '#runtimes/runtime-link.ts';
import type { PoolMember } from '#runtimes/runtime-pool.ts';
import { type Conduct, drawConducts, SLOW_MS } from './conduct.ts';
import type { Dice } from './dice.ts';
import type { Journal } from './journal.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';
import type { StartAnswer } from '#protocol/hand-over.ts';
import { promiseIn } from './promises.ts';

/** A report with the epoch under which its sender has the call; an unregistered runtime sends none. */
export type OwnedReport = ResultReport & { epoch?: number };

export interface RuntimeOptions {
  timeline: Timeline;
  dice: Dice;
  /** Random errors of the runtimes' clocks, as a separate stream. */
  clocks: Dice;
  /** Random conducts of the runtimes, as a separate stream. */
  conducts: Dice;
  /** Random promises of callbacks, as a separate stream, and the share of calls that bring one. */
  callbacks: { dice: Dice; share: number };
  weather: Weather;
  journal: Journal;
  /** Reports a result to some server; rejects without a response, or when the call belongs to another runtime. */
  report(report: OwnedReport): Promise<unknown>;
  /** Reports to some server that the conversation has started or ended. */
  tell: (kind: 'started' | 'ended', requestId: string, owner: Pick<CallHolder, 'runtimeId' | 'epoch'>) => Promise<unknown>;
  /** Called when a server has accepted a result from a runtime that does not have the call. */
  onForeignResult: (requestId: string) => void;
  /** Sends a heartbeat to the servers. */
  beat: (member: PoolMember) => Promise<unknown>;
  hangUp: (requestId: string) => void;
  isLive: (requestId: string) => boolean;
}

const REPEAT_MS = 1_000;
const LISTEN_MS = 5_000;
const MAX_TALK_MS = 40_000;
const BEAT_MS = 5_000;
/** Added to an epoch to give one that no offer will reach, even if more offers follow. */
const NEVER_MADE = 1_000_000_000;
const DOWN_MS = { min: 500, max: 30_000 };
/** Errors of a clock, ms: seconds, minutes, hours and ten years. A clock may also jump during a call. */
const SKEWS_MS = [0, 0, 0, 1_500, -4_000, 600_000, -600_000, 7_200_000, -7_200_000, 315_360_000_000];
/** Probability of a jump at each reading of the clock. */
const STEP_CHANCE = 0.1;
/** Share of runs with a single runtime that never registers. */
const OLDER_SHARE = 0.15;

/** A call as known to one runtime process; lost when the process dies. */
interface Held {
  runtime: Member;
  life: number;
  epoch: number | null;
  /** The epoch of the latest offer that it accepted, whatever it reports. */
  offered: number;
  isOver: boolean;
  /** Whether the runtime talks to the customer. */
  speaks: boolean;
  /** Answer time by its own clock. */
  answeredAt: number;
  report?: OwnedReport;
}

interface Member extends Pick<PoolMember, 'runtimeId' | 'maxCalls' | 'resumes'> {
  conduct: Conduct;
  life: number;
  isUp: boolean;
  calls: Map<string, Held>;
  /** Current error of its clock, ms. */
  skewMs: number;
}

/**
 * The call-flow runtimes: they talk, hang up, and report each result until it is accepted, or lose it in some runs; some die, are full or
 * stay silent.
 */
export class Runtimes {
  readonly #options: RuntimeOptions;
  readonly #members: Member[];
  readonly #isOlder: boolean;
  readonly #lost = new Set<string>();
  /** Calls in which any runtime has spoken. */
  readonly #begun = new Set<string>();
  /** Calls whose runtime has died. */
  readonly #bereft = new Set<string>();
  /** Number of runtimes that accepted each call and stayed silent. */
  readonly #muteTakes = new Map<string, number>();
  #underWay = 0;
  kills = 0;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    const { dice } = options;
    this.#isOlder = dice.chance(OLDER_SHARE);
    const count = this.#isOlder ? 1 : dice.between(1, 3);
    const conducts = drawConducts(options.conducts, count, this.#isOlder);
    this.#members = Array.from({ length: count }, (_, index) => ({
      conduct: conducts[index] ?? 'honest',
      runtimeId: `runtime-${index + 1}`,
      maxCalls: dice.pick([2, 5, 1_000]),
      resumes: dice.chance(0.7),
      life: 0,
      isUp: true,
      calls: new Map(),
      skewMs: options.clocks.pick(SKEWS_MS),
    }));
  }

  /** Ids of the runtimes that are there to take calls. */
  get upIds(): string[] {
    return this.#members.filter(({ isUp }) => isUp).map(({ runtimeId }) => runtimeId);
  }

  get reportsUnderWay(): number {
    return this.#underWay;
  }

  begin(): void {
    if (!this.#isOlder) for (const member of this.#members) this.#beat(member);
    for (const member of this.#members) if (member.conduct === 'wrong_epoch') this.#meddle(member);
  }

  /** Kills one runtime or all of them. */
  kill(): void {
    const { dice, timeline, journal } = this.#options;
    const some = dice.chance(0.3) ? this.#members : [dice.pick(this.#members)];
    for (const member of some.filter(({ isUp }) => isUp)) {
      journal.write(() => `${member.runtimeId} is KILLED with ${member.calls.size} calls`);
      this.kills += 1;
      member.isUp = false;
      member.life += 1;
      for (const requestId of member.calls.keys()) this.#bereft.add(requestId);
      member.calls.clear();
      timeline.after(dice.between(DOWN_MS.min, DOWN_MS.max), () => {
        // A restarted process is a new runtime with a new id.
        if (!this.#isOlder) member.runtimeId = `${member.runtimeId}'`;
        member.isUp = true;
        if (!this.#isOlder) void this.#tell(member);
      });
    }
  }

  callRoll(): void {
    for (const member of this.#members) void this.#tell(member);
  }

  /**
   * Whether a runtime talks with the customer. For an unregistered runtime, whether it ever has: without heartbeats its death is noticed
   * late.
   */
  serves(requestId: string): boolean {
    if (this.#isOlder) return this.#begun.has(requestId);
    return this.#members.some(({ calls }) => calls.get(requestId)?.speaks === true);
  }

  /** Failures of runtimes that may lengthen the silence of this customer (I9). */
  failuresOf(requestId: string): { hasDied: boolean; muteTakes: number } {
    return { hasDied: this.#bereft.has(requestId), muteTakes: this.#muteTakes.get(requestId) ?? 0 };
  }

  /** Whether the only runtime receives everything and never replies. */
  get onlyListens(): boolean {
    return this.#isOlder && this.#members.every(member => this.#conductOf(member) === 'deaf');
  }

  /** Conduct of a runtime; after the storm all are honest, as if operators had repaired them. */
  #conductOf({ conduct }: Member): Conduct {
    return this.#options.weather.isActive ? conduct : 'honest';
  }

  holder(requestId: string): CallHolder | null {
    for (const { isUp, calls, runtimeId } of this.#members) {
      const held = calls.get(requestId);
      if (isUp && held) return { runtimeId: this.#isOlder ? null : runtimeId, epoch: held.epoch };
    }
    return null;
  }

  hears(requestId: string): boolean {
    return this.#members.some(({ isUp, calls }) => isUp && calls.has(requestId));
  }

  probe(runtimeId: string): ProbeAnswer {
    const found = this.#members.find(member => member.isUp && member.runtimeId === runtimeId);
    if (!found) return 'absent';
    const conduct = this.#conductOf(found);
    return conduct === 'deaf' || conduct === 'slow' ? 'silent' : 'answers';
  }

  listens(): ProbeAnswer {
    if (!this.#isOlder || !this.#members.some(({ isUp }) => isUp)) return 'absent';
    return this.onlyListens ? 'silent' : 'answers';
  }

  async start(runtimeId: string | null, requestId: string, epoch: number): Promise<StartAnswer> {
    const { dice, weather, timeline } = this.#options;
    const member = this.#isOlder
      ? this.#members.find(({ isUp }) => runtimeId === null && isUp)
      : this.#members.find(candidate => candidate.isUp && candidate.runtimeId === runtimeId);
    if (!member) return 'unanswered';
    const conduct = this.#conductOf(member);
    if (conduct === 'deaf') return new Promise(() => undefined);
    if (conduct === 'slow') return new Promise(resolve => timeline.after(SLOW_MS, () => resolve('accepted')));
    if (conduct === 'busy') return 'declined';
    if (member.calls.has(requestId)) {
      const held = member.calls.get(requestId);
      if (held) this.#adopt(requestId, held, epoch);
      return 'accepted';
    }
    if (weather.strikes('runtime_refusal')) return 'declined';
    if (conduct === 'mute') this.#takeSilently(member, requestId, epoch);
    else this.#take(member, requestId, epoch);
    // The runtime has accepted the call, but its reply arrives too late.
    return weather.strikes('runtime_silence') && dice.chance(0.5) ? 'unanswered' : 'accepted';
  }

  /** Accepts a call and stays silent for as long as it is allowed to. */
  #takeSilently(runtime: Member, requestId: string, epoch: number): void {
    this.#muteTakes.set(requestId, (this.#muteTakes.get(requestId) ?? 0) + 1);
    runtime.calls.set(requestId, { runtime, life: runtime.life, epoch, offered: epoch, isOver: true, speaks: false, answeredAt: 0 });
  }

  /** Reports results of other runtimes' calls, under an epoch that no offer had. */
  #meddle(member: Member): void {
    const { timeline, dice, onForeignResult } = this.#options;
    timeline.after(BEAT_MS, () => {
      if (this.#conductOf(member) !== 'wrong_epoch') return;
      this.#meddle(member);
      const others = this.#members.filter(other => other !== member).flatMap(({ calls }) => [...calls].filter(([, { speaks }]) => speaks));
      if (others.length === 0) return;
      const [requestId, held] = dice.pick(others);
      if (held.epoch === null || held.isOver) return;
      this.#options.report(this.#reportOf(requestId, { ...held, epoch: held.epoch + NEVER_MADE })).then(
        () => onForeignResult(requestId),
        () => undefined,
      );
    });
  }

  /** Adopts a newer epoch; a delayed older offer changes nothing. The start, and a report rejected under the older epoch, are sent again. */
  #adopt(requestId: string, held: Held, epoch: number): void {
    held.offered = Math.max(held.offered, epoch);
    if (held.epoch === null || held.epoch >= epoch) return;
    held.epoch = epoch;
    if (held.speaks) this.#tellStarted(requestId, held);
    if (held.report) this.#send({ ...held.report, epoch }, held, 0);
  }

  /** One that has not registered says neither. */
  #ownerOf({ runtime, epoch }: Held): CallHolder {
    return { runtimeId: this.#isOlder ? null : runtime.runtimeId, epoch };
  }

  release(runtimeId: string, requestId: string, epoch: number): void {
    const member = this.#members.find(candidate => candidate.runtimeId === runtimeId);
    const held = member?.calls.get(requestId);
    // A delayed release of an earlier offer changes nothing.
    if (!member || !held || held.offered > epoch) return;
    held.isOver = true;
    member.calls.delete(requestId);
  }

  hangUp(requestId: string): void {
    for (const { calls } of this.#members) {
      const held = calls.get(requestId);
      if (held) this.#finish(requestId, held);
    }
  }

  #beat(member: Member): void {
    void this.#tell(member);
    this.#options.timeline.after(BEAT_MS, () => this.#beat(member));
  }

  async #tell({ isUp, runtimeId, maxCalls, resumes, calls }: Member): Promise<void> {
    if (!isUp || this.#isOlder) return;
    const active = [...calls.values()].filter(({ isOver }) => !isOver).length;
    const about = { name: 'simulated', version: '1', contract: 1, isDraining: false, nodeTypes: [] };
    await this.#options.beat({ ...about, runtimeId, maxCalls, resumes, active: Math.min(active, maxCalls) }).catch(() => undefined);
  }

  #take(runtime: Member, requestId: string, epoch: number): void {
    const { timeline, dice } = this.#options;
    const given = this.#conductOf(runtime) === 'wrong_epoch' ? epoch + 1 : epoch;
    const own = { epoch: this.#isOlder ? null : given, answeredAt: this.#read(runtime) };
    const held: Held = { runtime, life: runtime.life, offered: epoch, isOver: false, speaks: true, ...own };
    runtime.calls.set(requestId, held);
    this.#begun.add(requestId);
    this.#tellStarted(requestId, held);
    timeline.after(dice.between(300, dice.chance(0.4) ? 15_000 : MAX_TALK_MS), () => this.#sayGoodbye(requestId, held));
    this.#listen(requestId, held);
  }

  /** Reads the runtime's clock, which jumps now and then. */
  #read(runtime: Member): number {
    const { clocks, timeline } = this.#options;
    if (clocks.chance(STEP_CHANCE)) runtime.skewMs = clocks.pick(SKEWS_MS);
    return timeline.now() + runtime.skewMs;
  }

  /** Reports the start until a server accepts it. */
  #tellStarted(requestId: string, held: Held): void {
    if (!this.#isHis(held)) return;
    this.#options.tell('started', requestId, this.#ownerOf(held)).catch(() => {
      this.#options.timeline.after(REPEAT_MS, () => this.#tellStarted(requestId, held));
    });
  }

  #isHis({ runtime, life, isOver }: Held): boolean {
    return runtime.isUp && runtime.life === life && !isOver;
  }

  /** Detects the end of a call without a message from the server. */
  #listen(requestId: string, held: Held): void {
    const { timeline, isLive } = this.#options;
    timeline.after(LISTEN_MS, () => {
      if (!this.#isHis(held)) return;
      if (isLive(requestId)) this.#listen(requestId, held);
      else this.#finish(requestId, held);
    });
  }

  /** Ends the call from the runtime's side: the result may arrive before the channel is gone, and the hang-up may be forgotten. */
  #sayGoodbye(requestId: string, held: Held): void {
    if (!this.#isHis(held)) return;
    const { timeline, dice, hangUp, tell, journal } = this.#options;
    if (dice.chance(0.3))
      tell('ended', requestId, this.#ownerOf(held)).catch((error: unknown) => journal.write(() => `runtime: ${String(error)}`));
    this.#finish(requestId, held);
    // If the result was lost and the hang-up forgotten as well, the product would have nothing to go by.
    if (this.#lost.has(requestId) || !dice.chance(0.05)) timeline.after(dice.between(0, 3_000), () => hangUp(requestId));
  }

  #finish(requestId: string, held: Held): void {
    if (!this.#isHis(held)) return;
    held.isOver = true;
    const { dice, weather, journal } = this.#options;
    if (weather.strikes('runtime_loss')) {
      this.#lost.add(requestId);
      return journal.write(() => `runtime LOSES the result of ${requestId}`);
    }
    const report = this.#reportOf(requestId, held);
    held.report = report;
    this.#send(report, held, dice.between(0, 4_000));
    if (weather.strikes('runtime_conflict'))
      this.#send({ ...report, callStatus: 'voicemail', intent: 'second thought' }, held, dice.between(0, 8_000));
  }

  /** Sends a report until it is accepted or rejected; an unsent report dies with its process. */
  #send(report: OwnedReport, { runtime, life }: Held, delayMs: number): void {
    const { timeline } = this.#options;
    this.#underWay += 1;
    // Another runtime has the call.
    const isRefused = (error: unknown) => isCalloutError(error, 'STALE_EPOCH');
    const send = async () => {
      const isTold = runtime.life !== life || (await this.#options.report(report).then(() => true, isRefused));
      if (isTold) this.#underWay -= 1;
      else timeline.after(REPEAT_MS, () => void send());
    };
    timeline.after(delayMs, () => void send());
  }

  /** Times as reported: all of them, some, or only the duration. */
  #timesOf({ runtime, answeredAt }: Held, durationSeconds: number) {
    const { clocks } = this.#options;
    const endedAt = this.#read(runtime);
    return {
      startedAt: clocks.chance(0.3) ? answeredAt : null,
      answeredAt: clocks.chance(0.5) ? answeredAt : null,
      endedAt: clocks.chance(0.7) ? endedAt : null,
      durationSeconds: clocks.chance(0.5) ? durationSeconds : null,
    };
  }

  #reportOf(requestId: string, held: Held): OwnedReport {
    const { dice } = this.#options;
    return {
      requestId,
      ...(held.epoch === null ? {} : { epoch: held.epoch }),
      attemptId: null,
      callStatus: dice.chance(0.8) ? 'completed' : dice.pick(['voicemail', 'no_answer'] as const),
      ...this.#timesOf(held, dice.between(1, 60)),
      hangupCause: null,
      hangupBy: 'bot',
      recordingUrl: null,
      classification: null,
      intent: null,
      recognizedText: null,
      optOut: dice.chance(0.03),
      optOutReason: null,
      transcript: [{ speaker: 'customer', text: `said ${dice.between(1, 1_000_000)}`, startMs: null, endMs: null, nodeId: null }],
      payload: null,
      ...promiseIn(this.#options),
    };
  }
}
