/** Key of the text that says what a campaign does or waits for: by its cause where the phase has several. */
export function phaseKey(phase: string, cause: string | null): string {
  return cause === null ? `campaignPhase.${phase}` : `phaseCause.${cause}`;
}

/** Causes that are the campaign's own settings: it dials as fast as they allow. */
const AS_SET: ReadonlySet<string> = new Set(['CAMPAIGN_FULL', 'INTERVAL']);
const AT_WORK: ReadonlySet<string> = new Set(['DISPATCHING', 'IDLE', 'DRAINING', 'WAITING_INTERVAL']);

/** Whether something other than its own settings keeps a running campaign from dialling. */
export function isHindered(phase: string, cause: string | null): boolean {
  return !AT_WORK.has(phase) && !AS_SET.has(cause ?? '');
}
