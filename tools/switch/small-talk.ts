import type { Cancel, Clock } from '#kernel/clock.ts';
import { type Random, randomPick } from '#kernel/random.ts';
import type { Channel } from './channel.ts';
import type { Speech } from './media/speech.ts';
import type { SwitchSound } from './media/switch-sound.ts';

export interface SmallTalkOptions {
  clock: Clock;
  random: Random;
  channels(): Iterable<Channel>;
  sound: Pick<SwitchSound, 'peopleHeardBy' | 'speak'>;
  speech: Speech;
}

/** Interval of looks at who has spoken; what counts as having spoken, and as having ended. In ms. */
const LOOK_MS = 500;
const SPOKEN_MS = 300;
const PAUSE_MS = 900;
const GREETING = '喂，您好。';
const REPLIES = ['嗯，好的。', '行，我知道了。', '您再说一遍好吗？', '可以，没问题。', '这个我考虑一下。', '好，谢谢您。'] as const;

/**
 * Words of customers that an agent has called manually: no runtime speaks for them, and they should not be silent. They greet, and reply
 * whenever a person with a phone in a browser has spoken.
 */
export class SmallTalk {
  readonly #options: SmallTalkOptions;
  /** How long people had spoken at the customer's last words, in ms, by channel. */
  readonly #heardMs = new Map<string, number>();
  #cancel: Cancel = () => undefined;

  constructor(options: SmallTalkOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.clock.schedule(LOOK_MS, () => {
      this.#look();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    const present = new Set<string>();
    for (const channel of this.#options.channels()) {
      if (!isAlone(channel)) continue;
      present.add(channel.uuid);
      this.#reply(channel.uuid);
    }
    for (const uuid of this.#heardMs.keys()) if (!present.has(uuid)) this.#heardMs.delete(uuid);
  }

  #reply(uuid: string): void {
    const { sound, random } = this.#options;
    const people = sound.peopleHeardBy(uuid);
    if (people === null) return;
    const before = this.#heardMs.get(uuid);
    const isTurn = before === undefined || (people.spokenMs - before >= SPOKEN_MS && (people.silentMs ?? 0) >= PAUSE_MS);
    if (!isTurn) return;
    this.#heardMs.set(uuid, people.spokenMs);
    void this.#say(uuid, before === undefined ? GREETING : randomPick(random, REPLIES));
  }

  async #say(uuid: string, text: string): Promise<void> {
    this.#options.sound.speak(uuid, await this.#options.speech.soundOf('customer', text));
  }
}

/** Whether the far end is a simulated person without a runtime beside it. */
function isAlone({ phone, plan, answeredAt, hasRuntime }: Channel): boolean {
  return phone === null && answeredAt !== null && !hasRuntime && plan?.kind === 'answers' && plan.callee === 'person';
}
