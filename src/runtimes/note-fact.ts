import type { RuntimeFact, RuntimeSettingsPart } from './decisions/runtime-care.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { RuntimePoolPart } from './runtime-pool.ts';
import type { Platform } from '#platform/platform.ts';
import { recordAside, recordClosed } from './record-runtimes.ts';

/**
 * Records an observation about a runtime, made by a call or a probe, and reports runtimes or businesses that are offered no further calls.
 *
 * Why: never rejects, so that a customer's call does not wait for the counters; the next call updates them again
 */
export async function noteFact(
  deps: RuntimePoolPart & RuntimeEventsPart & RuntimeSettingsPart & Pick<Platform, 'wake' | 'clock' | 'log'>,
  fact: RuntimeFact,
): Promise<void> {
  try {
    const verdict = await deps.pool.note(fact, deps.settings.care);
    if (verdict === null) return;
    if (verdict === 'back' || verdict === 'open') return deps.wake.campaign(null);
    if (fact.kind === 'unserved') return await recordClosed(deps.events, fact.businessCode, deps.clock.now());
    const { kind } = fact;
    if (kind === 'unanswered' || kind === 'silent') await recordSetAside(deps, { kind, runtimeId: fact.runtimeId });
  } catch (error) {
    deps.log.warn({ err: error, kind: fact.kind }, 'a runtime fact could not be recorded');
  }
}

async function recordSetAside(
  deps: RuntimePoolPart & RuntimeEventsPart & Pick<Platform, 'clock'>,
  { kind, runtimeId }: { kind: 'unanswered' | 'silent'; runtimeId: string },
): Promise<void> {
  const member = (await deps.pool.list()).find(each => each.runtimeId === runtimeId);
  await recordAside(deps.events, { runtimeId, name: member?.name ?? runtimeId, kind, at: deps.clock.now() });
}
