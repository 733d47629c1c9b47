import { type Clock, sleep } from '#kernel/clock.ts';
import { scriptAnswer } from '#protocol/requests.ts';
import type { RuntimeScript } from '#protocol/runtime-script.ts';
import { scriptSubject } from '#protocol/subjects.ts';
import type { NatsLink } from './nats-link.ts';

/** Most cached scripts; the least recently used one is dropped. */
const MAX_SCRIPTS = 200;
const REQUEST_TIMEOUT_MS = 2_000;
const MAX_ATTEMPTS = 3;
const RETRY_MS = 500;

/** Source of scripts. */
export interface ScriptSource {
  /** Errors: Error when the server does not know the script, or does not respond to several attempts */
  get(scriptId: number, version: number | null, signal: AbortSignal): Promise<RuntimeScript>;
}

/** Fetches scripts from the server over the bus; a version never changes, so it is fetched once. Source: D11, D5.7 */
export function createScriptSource(link: Pick<NatsLink, 'request'>, clock: Clock): ScriptSource {
  const known = new Map<string, Promise<RuntimeScript>>();
  return {
    get(scriptId, version, signal) {
      if (version === null) return fetchScript({ link, clock, signal }, scriptId, null);
      const key = `${scriptId}:${version}`;
      const script = known.get(key) ?? fetchScript({ link, clock, signal: new AbortController().signal }, scriptId, version);
      known.delete(key);
      known.set(key, script);
      // The current callers see the error; the next call fetches again.
      script.catch(() => known.delete(key));
      for (const oldest of known.keys()) {
        if (known.size <= MAX_SCRIPTS) break;
        known.delete(oldest);
      }
      return script;
    },
  };
}

interface Fetching {
  link: Pick<NatsLink, 'request'>;
  clock: Clock;
  signal: AbortSignal;
}

async function fetchScript({ link, clock, signal }: Fetching, scriptId: number, version: number | null): Promise<RuntimeScript> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = scriptAnswer.parse(await link.request(scriptSubject(scriptId), { version }, REQUEST_TIMEOUT_MS));
      if (answer.ok) return answer.data;
      const refusal = `script ${scriptId}: ${answer.code} ${answer.msg}`;
      if (answer.code === 'NOT_FOUND') throw new UnknownScript(refusal);
      if (attempt >= MAX_ATTEMPTS) throw new ScriptRefused(refusal);
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || signal.aborted || error instanceof ScriptRefused) throw error;
    }
    await sleep(clock, RETRY_MS * attempt, signal);
  }
}

class ScriptRefused extends Error {}

/** The server has no such script, or not in this version. */
export class UnknownScript extends ScriptRefused {}
