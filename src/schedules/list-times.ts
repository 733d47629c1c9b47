import { invalidArgument } from '#kernel/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { cronFault, MIN_MINUTES_BETWEEN, nextRuns, type When } from './decisions/due-times.ts';

const SHOWN_TIMES = 5;

type TimesApp = { timeZone: string } & Pick<Platform, 'clock'>;

/**
 * The next times of an expression, which people see before they keep it.
 *
 * Units:  UTC ms
 * Errors: INVALID_ARGUMENT naming `cron`
 */
export function listScheduleTimes(
  app: TimesApp,
  { cron, timeZone = app.timeZone }: { cron: string; timeZone?: string | undefined },
): number[] {
  const when = { cron, timeZone };
  requireTimes(app, when);
  return nextRuns(when, app.clock.now(), SHOWN_TIMES);
}

/** Errors: INVALID_ARGUMENT naming `cron` */
export function requireTimes({ clock }: Pick<TimesApp, 'clock'>, when: When): void {
  const fault = cronFault(when, clock.now());
  if (fault === 'cronTooOften') throw invalidArgument('cron', fault, { min: MIN_MINUTES_BETWEEN });
  if (fault !== null) throw invalidArgument('cron', fault);
}
