/** The words for what a campaign does or waits for: those of the cause, where the phase leaves several open. A campaign may dial in spite of it. */
export function phaseKey(phase: string, cause: string | null): string {
  if (cause === null) return `campaignPhase.${phase}`;
  return `phaseCause.${phase === 'DISPATCHING' ? 'DIALS_' : ''}${cause}`;
}
