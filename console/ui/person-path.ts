/** Page about one phone number. */
export function personPath(phoneNumber: string): string {
  return `/people/${encodeURIComponent(phoneNumber)}`;
}
