/** Key of the text that says what a campaign does or waits for: by its cause where the phase has several. */
export function phaseKey(phase: string, cause: string | null): string {
  return cause === null ? `campaignPhase.${phase}` : `phaseCause.${cause}`;
}

/** Causes that are the campaign's own settings: it dials as fast as they allow. */
const AS_SET: ReadonlySet<string> = new Set(['CAMPAIGN_FULL', 'INTERVAL']);
const AT_WORK: ReadonlySet<string> = new Set(['DISPATCHING', 'IDLE', 'DRAINING', 'WAITING_INTERVAL']);

/** Phases that end at their time without anybody's help. */
const PLANNED: ReadonlySet<string> = new Set(['WAITING_RETRY']);
/** Checks of what a dial needs at its moment: they hinder nobody while no contact is due. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['CONTACTS', 'LINES', 'RUNTIME', 'MONITORING', 'NUMBER_CAPS']);

/** Whether something other than its own settings and plan keeps a running campaign from dialling. */
export function isHindered(phase: string, cause: string | null): boolean {
  return !AT_WORK.has(phase) && !AS_SET.has(cause ?? '') && !isWaitPlanned(phase, cause);
}

/** Whether every contact waits for its own time, such as a promised callback or a retry. */
export function isWaitPlanned(phase: string, cause: string | null): boolean {
  return PLANNED.has(phase) && cause !== 'DO_NOT_CALL';
}

/** Whether a failed check concerns a running campaign in this phase; one that was started needs no check of its status. */
export function isInTheWay({ phase, phaseCause }: { phase: string; phaseCause: string | null }, code: string): boolean {
  return code !== 'STATUS' && !(isWaitPlanned(phase, phaseCause) && OF_THE_MOMENT.has(code));
}
