import { BROWSER } from '#tools/services/browser.ts';
import { checkAttacks } from './cases/attacks.ts';
import { checkBrowsers } from './cases/browsers.ts';
import { checkCarriers } from './cases/carriers.ts';
import { checkConsolePhone } from './cases/console-phone.ts';
import { checkEars } from './cases/ears.ts';
import { checkListening } from './cases/listening.ts';
import { checkExtensions } from './cases/extensions.ts';
import { checkKills } from './cases/kills.ts';
import { checkLimits } from './cases/limits.ts';
import { checkMissedAnswers } from './cases/missed-answers.ts';
import { checkMissedByPeople } from './cases/missed-by-people.ts';
import { checkOutcomes } from './cases/outcomes.ts';
import { checkPeopleCalls } from './cases/people-calls.ts';
import { checkRest } from './cases/rest.ts';
import { checkReferenceRuntime } from './cases/reference-runtime.ts';
import { type CheckRow, createReport, type Report } from './report.ts';
import { startSwitchRig, type SwitchRig } from './switch-rig.ts';

export interface SwitchCheck {
  binary: string;
  isKept: boolean;
  /** Only cases that together stay below six minutes. */
  isShort: boolean;
  /** Only areas whose name matches; null for all. */
  only: RegExp | null;
  print: (line: string) => void;
  signal: AbortSignal;
}

interface Area {
  name: string;
  isShort: boolean;
  /** Programs of the cases beside the services, each with the name of its package. */
  programs?: readonly string[];
  check(rig: SwitchRig, report: Report): Promise<void>;
}

const AREAS: readonly Area[] = [
  { name: 'outcomes', isShort: true, check: checkOutcomes },
  { name: 'missed-answers', isShort: true, check: checkMissedAnswers },
  { name: 'missed-by-people', isShort: true, check: checkMissedByPeople },
  { name: 'extensions', isShort: true, check: checkExtensions },
  { name: 'ears', isShort: true, check: checkEars },
  { name: 'listening', isShort: true, check: checkListening },
  { name: 'people-calls', isShort: true, check: checkPeopleCalls },
  { name: 'browsers', isShort: true, check: checkBrowsers, programs: [BROWSER] },
  { name: 'console-phone', isShort: true, check: checkConsolePhone, programs: [BROWSER] },
  { name: 'carriers', isShort: false, check: checkCarriers },
  { name: 'attacks', isShort: true, check: checkAttacks },
  { name: 'kills', isShort: false, check: checkKills },
  { name: 'limits', isShort: false, check: checkLimits },
  { name: 'runtime', isShort: false, check: checkReferenceRuntime },
  { name: 'rest', isShort: true, check: checkRest },
];

/**
 * Checks the product on a real FreeSWITCH, with phones behind another one.
 *
 * Shape: a row per case; everything that was started has ended when it resolves
 */
export async function runSwitchCheck(options: SwitchCheck): Promise<readonly CheckRow[]> {
  await using stack = new AsyncDisposableStack();
  const report = createReport(options.print, options.signal);
  const rig = await Promise.race([startSwitchRig(stack, options), whenAborted(options.signal)]);
  if (!rig) return [];
  for (const area of areasOf(options)) {
    if (options.signal.aborted) break;
    await Promise.race([area.check(rig, report), whenAborted(options.signal)]);
  }
  return report.rows;
}

/** Programs that the cases run but do not install: the caller of the check installs them. */
export function programsOf(options: Pick<SwitchCheck, 'only' | 'isShort'>): string[] {
  return areasOf(options).flatMap(({ programs = [] }) => programs);
}

function areasOf({ only, isShort }: Pick<SwitchCheck, 'only' | 'isShort'>): readonly Area[] {
  return AREAS.filter(area => (only && area.name !== 'rest' ? only.test(area.name) : area.isShort || !isShort));
}

/** Processes that are still starting when the user interrupts end with this process. */
function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }));
}
