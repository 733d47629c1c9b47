import { systemClock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { systemRandom } from '#kernel/random.ts';
import { callRecorder } from './call-recording.ts';
import { pickCustomer } from './customer/pick-customer.ts';
import type { NatsLink } from './nats-link.ts';
import { createBreaker } from './nlu/breaker.ts';
import { nluClient } from './nlu/nlu-client.ts';
import { createUnderstanding } from './nlu/understanding.ts';
import { createOutbox } from './report-outbox.ts';
import { type CallFlowRuntime, startRuntime } from './runtime.ts';
import { createScriptSource } from './script-source.ts';
import { switchVoice, type VoiceTarget } from './voice.ts';

export interface ComposedSettings {
  /** Empty: keywords replace the NLU service. */
  nluUrl: string;
  nluToken: string;
  nluTimeoutMs: number;
  maxCalls: number;
  runtimeId: string;
  /** Empty: all. */
  businessCodes: readonly string[];
  /** How many times faster than real time customers talk. */
  speed: number;
  voicemailRate: number;
  seed: number;
  version: string;
  /** Empty: nothing is recorded. */
  recordings: string;
  /** Simulated switch where calls have sound; absent or null: they have none. */
  voice?: VoiceTarget | null;
}

const NAME = 'callout-runtime';
/** The NLU service gets no requests for this long after so many consecutive failures. */
const BREAKER = { failures: 5, pauseMs: 10_000 };

/** Composes the reference runtime on an open link. */
export function composeRuntime(settings: ComposedSettings, { link, log }: { link: NatsLink; log: Log }): CallFlowRuntime {
  const { voice = null } = settings;
  const stopped = new AbortController();
  const { nluUrl: url, nluToken: token, nluTimeoutMs: timeoutMs, runtimeId, version, maxCalls, businessCodes, speed } = settings;
  const base = { link, clock: systemClock, random: systemRandom, log };
  const client = url === '' ? null : nluClient({ url, token, timeoutMs }, systemClock);
  const runtime = startRuntime({
    ...base,
    runtimeId,
    about: { name: NAME, version },
    maxCalls,
    ...(businessCodes.length === 0 ? {} : { businessCodes }),
    speed,
    outbox: createOutbox(base),
    scripts: createScriptSource(link, systemClock),
    understanding: createUnderstanding({ client, breaker: createBreaker(systemClock, BREAKER), log }),
    customerOf: offer => pickCustomer(offer, settings),
    recordCall: callRecorder(settings.recordings || null, log),
    ...(voice === null ? {} : { voiceOn: switchVoice({ target: voice, clock: systemClock, log, signal: stopped.signal }) }),
  });
  return {
    ...runtime,
    async drain(graceMs) {
      await runtime.drain(graceMs);
      stopped.abort();
    },
  };
}
