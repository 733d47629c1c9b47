/** Key of the text that says what a campaign does or waits for: by its cause where the phase has several. */
export function phaseKey(phase: string, cause: string | null): string {
  return cause === null ? `campaignPhase.${phase}` : `phaseCause.${cause}`;
}
