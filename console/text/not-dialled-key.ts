/** Key of the text that says why a contact is not dialled: by the exact cause where the reason has several. */
export function notDialledKey({ reason, detail }: { reason: string; detail: string | null }): string {
  return detail === null ? `notDialledReason.${reason}` : `notDialledDetail.${detail}`;
}
