import type { CallQuery } from './call.generated.ts';

interface Cut {
  /** Name of whoever hung up. */
  by: string;
  /** In their words; empty when they gave none. */
  reason: string;
}

const HUNG_UP = 'supervisor.hangup';

/** Who of the console's users ended the call; null when none did. */
export function cutOf({ timeline }: Pick<NonNullable<CallQuery['attempt']>, 'timeline'>): Cut | null {
  const [cut] = timeline.flatMap(({ detail }) => {
    const { type, detail: told } = Object(detail) as { type?: string; detail?: Partial<Cut> };
    return type === HUNG_UP && told?.by ? [{ by: told.by, reason: told.reason ?? '' }] : [];
  });
  return cut ?? null;
}
