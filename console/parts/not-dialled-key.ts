/** The words for why somebody is not dialled: those of the exact cause, where the reason leaves several open. */
export function notDialledKey({ reason, detail }: { reason: string; detail: string | null }): string {
  return detail === null ? `notDialledReason.${reason}` : `notDialledDetail.${detail}`;
}
