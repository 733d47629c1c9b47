import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { type EslConnection, openEsl } from '#platform/freeswitch/esl-connection.ts';

/** A runtime's sound on one call, beside the switch. */
export interface CallVoice {
  /** Begins to speak; resolves to the length of the sound in ms, or null when nobody listens. Never rejects. */
  begin(speaker: 'bot' | 'customer', text: string): Promise<number | null>;
  /** Ends what is spoken. */
  hush(): void;
  /**
   * Speech of the users that the customer hears; null when there are none, `nobody` while the customer hears no one at all, as on hold.
   * Units: ms. Never rejects
   */
  people(): Promise<{ spokenMs: number; silentMs: number | null } | 'nobody' | null>;
}

/** The voice on the call of this channel. */
export type VoiceOn = (channelUuid: string) => CallVoice;

/** Event Socket of a simulated switch. */
export interface VoiceTarget {
  host: string;
  port: number;
  password: string;
}

export interface SwitchVoiceOptions {
  target: VoiceTarget;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/** A sentence may wait for another to be synthesized. In ms. */
const REPLY_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** Pause after a failed connection, in ms: meanwhile nobody hears anything. */
const RETRY_MS = 2_000;
const BEGUN = /^\+OK (\d{1,7})$/;

const peopleHeard = z.union([z.object({ spokenMs: z.number(), silentMs: z.number().nullable() }), z.literal('nobody'), z.null()]);

/** Speaks through the control line of the simulated switch (`tools/switch/README.md`). */
export function switchVoice(options: SwitchVoiceOptions): VoiceOn {
  const ask = asker(options);
  return channelUuid => ({
    async begin(speaker, text) {
      const reply = await ask(`callout_speak ${JSON.stringify({ uuid: channelUuid, speaker, text })}`);
      const lengthMs = BEGUN.exec(reply ?? '')?.[1];
      return lengthMs === undefined ? null : Number(lengthMs);
    },
    hush: () => void ask(`callout_hush ${channelUuid}`),
    async people() {
      const reply = await ask(`callout_people ${channelUuid}`);
      return reply !== null && /^[{"]/.test(reply) ? (peopleHeard.safeParse(JSON.parse(reply)).data ?? null) : null;
    },
  });
}

/** Runs a command on a connection that is opened when it is needed; null when the switch does not answer. */
function asker({ target, clock, log, signal }: SwitchVoiceOptions): (line: string) => Promise<string | null> {
  let connection: Promise<EslConnection> | null = null;
  let isPaused = false;
  const forget = () => {
    connection = null;
  };
  const open = () =>
    openEsl({
      target,
      clock,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      silenceLimitMs: null,
      signal,
      onEvent: () => undefined,
      onClose: forget,
    });
  const fail = (error: unknown) => {
    if (!isPaused) log.debug({ err: error }, 'nothing is spoken: the switch does not answer');
    forget();
    isPaused = true;
    clock.schedule(RETRY_MS, () => (isPaused = false));
    return null;
  };
  return async line => {
    if (isPaused || signal.aborted) return null;
    connection ??= open();
    return connection.then(opened => opened.api(line, REPLY_TIMEOUT_MS)).catch(fail);
  };
}
