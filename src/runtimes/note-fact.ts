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
  app: RuntimePoolPart & RuntimeEventsPart & RuntimeSettingsPart & Pick<Platform, 'wake' | 'clock' | 'log'>,
  fact: RuntimeFact,
): Promise<void> {
  try {
    const verdict = await app.pool.note(fact, app.settings.care);
    if (verdict === null) return;
    if (verdict === 'back' || verdict === 'open') return app.wake.campaign(null);
    if (fact.kind === 'unserved') return await recordClosed(app.events, fact.businessCode, app.clock.now());
    const { kind } = fact;
    if (kind === 'unanswered' || kind === 'silent') await recordSetAside(app, { kind, runtimeId: fact.runtimeId });
  } catch (error) {
    app.log.warn({ err: error, kind: fact.kind }, 'a runtime fact could not be recorded');
  }
}

async function recordSetAside(
  app: RuntimePoolPart & RuntimeEventsPart & Pick<Platform, 'clock'>,
  { kind, runtimeId }: { kind: 'unanswered' | 'silent'; runtimeId: string },
): Promise<void> {
  const member = (await app.pool.list()).find(each => each.runtimeId === runtimeId);
  await recordAside(app.events, { runtimeId, name: member?.name ?? runtimeId, kind, at: app.clock.now() });
}
