/** The business time zone as the server names it; null until the console knows it. */
let named: string | null = null;

/** Zone in which every page shows and reads times: the business time zone. Before it is known, that of the browser. */
export function businessZone(): string {
  return named ?? browserZone();
}

export function setBusinessZone(zone: string): void {
  named = zone;
}

/** Zone of the reader's own clock. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
