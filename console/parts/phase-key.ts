/** The words for what a campaign does or waits for: those of the cause, where the phase leaves several open. */
export function phaseKey(phase: string, cause: string | null): string {
  return cause === null ? `campaignPhase.${phase}` : `phaseCause.${cause}`;
}
