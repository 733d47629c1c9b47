import type { ResultReport } from '#ports/dial-store.ts';
import type { JsonObject } from '#ports/records.ts';
import type { RuntimeCommandName } from '#ports/runtime-link.ts';
import type { Dice } from './dice.ts';
import type { Journal } from './journal.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

export interface RuntimeOptions {
  timeline: Timeline;
  dice: Dice;
  weather: Weather;
  journal: Journal;
  /** Hands a result to some server; rejects when no answer came. */
  report(report: ResultReport): Promise<unknown>;
  /** Tells some server that the conversation is over. */
  tellEnded: (requestId: string) => Promise<unknown>;
  hangUp: (requestId: string) => void;
  isLive: (requestId: string) => boolean;
}

const REPEAT_MS = 1_000;
const LISTEN_MS = 5_000;
const MAX_TALK_MS = 40_000;

/** The call-flow runtime: talks, ends, and reports each result until somebody has it, in some runs never. */
export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #started = new Set<string>();
  readonly #over = new Set<string>();
  readonly #lost = new Set<string>();
  #underWay = 0;

  constructor(options: RuntimeOptions) {
    this.#options = options;
  }

  get reportsUnderWay(): number {
    return this.#underWay;
  }

  holds(requestId: string): boolean {
    return this.#started.has(requestId);
  }

  async command(requestId: string, name: RuntimeCommandName): Promise<JsonObject> {
    if (name === 'start') this.#start(requestId);
    if (name === 'hangup' && this.#started.has(requestId)) this.#finish(requestId);
    return { accepted: true };
  }

  #start(requestId: string): void {
    if (this.#started.has(requestId)) return;
    this.#started.add(requestId);
    const { timeline, dice } = this.#options;
    timeline.after(dice.between(300, dice.chance(0.4) ? 15_000 : MAX_TALK_MS), () => this.#sayGoodbye(requestId));
    this.#listen(requestId);
  }

  /** Without a word from the server it notices by itself that nobody is there. */
  #listen(requestId: string): void {
    const { timeline, isLive } = this.#options;
    timeline.after(LISTEN_MS, () => {
      if (this.#over.has(requestId)) return;
      if (isLive(requestId)) this.#listen(requestId);
      else this.#finish(requestId);
    });
  }

  /** The robot ends the call: the result may be in before the channel is gone, and a channel may be forgotten. */
  #sayGoodbye(requestId: string): void {
    if (this.#over.has(requestId)) return;
    const { timeline, dice, hangUp, tellEnded, journal } = this.#options;
    if (dice.chance(0.3)) tellEnded(requestId).catch((error: unknown) => journal.write(() => `runtime: ${String(error)}`));
    this.#finish(requestId);
    // Whose result is lost and who forgets to hang up leaves nothing to go by.
    if (this.#lost.has(requestId) || !dice.chance(0.05)) timeline.after(dice.between(0, 3_000), () => hangUp(requestId));
  }

  #finish(requestId: string): void {
    if (this.#over.has(requestId)) return;
    this.#over.add(requestId);
    const { dice, weather, journal } = this.#options;
    if (weather.strikes('runtime_loss')) {
      this.#lost.add(requestId);
      return journal.write(() => `runtime LOSES the result of ${requestId}`);
    }
    const report = this.#reportOf(requestId);
    this.#send(report, dice.between(0, 4_000));
    if (weather.strikes('runtime_conflict'))
      this.#send({ ...report, callStatus: 'voicemail', intent: 'second thought' }, dice.between(0, 8_000));
  }

  #send(report: ResultReport, delayMs: number): void {
    const { timeline } = this.#options;
    this.#underWay += 1;
    const send = () =>
      void this.#options.report(report).then(
        () => (this.#underWay -= 1),
        () => timeline.after(REPEAT_MS, send),
      );
    timeline.after(delayMs, send);
  }

  #reportOf(requestId: string): ResultReport {
    const { dice } = this.#options;
    return {
      requestId,
      attemptId: null,
      callStatus: dice.chance(0.8) ? 'completed' : dice.pick(['voicemail', 'no_answer'] as const),
      startedAt: null,
      answeredAt: null,
      endedAt: null,
      durationSeconds: dice.between(1, 60),
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
    };
  }
}
