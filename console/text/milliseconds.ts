/** Members of the API that hold milliseconds; people read and type seconds. */
const IN_MS = /Ms$/;

export function isInMs(name: string): boolean {
  return IN_MS.test(name);
}

/** Milliseconds of the seconds in a field; empty while it holds no number. */
export function msOf(typed: number | string): number | '' {
  const seconds = typed === '' ? Number.NaN : Number(typed);
  return Number.isFinite(seconds) ? Math.round(seconds * 1_000) : '';
}

export function secondsOf(ms: number | ''): number | '' {
  return ms === '' ? '' : ms / 1_000;
}

/** The value of a member as people read it. */
export function inShownUnit(name: string, value: unknown): unknown {
  return typeof value === 'number' && isInMs(name) ? value / 1_000 : value;
}

/** The server's text about such a member, with its bounds in seconds. */
export function boundsInSeconds(problem: string): string {
  return problem.replaceAll(/\d[\d,]*/g, bound => String(Number(bound.replaceAll(',', '')) / 1_000));
}
