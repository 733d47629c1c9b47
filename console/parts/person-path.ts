/** The page of whoever is behind a number. */
export function personPath(phoneNumber: string): string {
  return `/people/${encodeURIComponent(phoneNumber)}`;
}
