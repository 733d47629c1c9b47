/** Hints and sentences for the bot of a live call, and users who listen to it. */
export const GUIDANCE_KINDS = [
  'hint',
  'say',
  'hand_back',
  'listen',
  'barge',
  'listen_ended',
  'hold',
  'resume',
  'mute',
  'unmute',
  'keypad',
] as const;
export type GuidanceKind = (typeof GUIDANCE_KINDS)[number];

/** A hint or sentence that the runtime has acknowledged. `at` UTC ms. Source: D9.8 */
export interface Guidance {
  /** Unique in the call. */
  guidanceId: string;
  kind: GuidanceKind;
  text: string;
  userId: number | null;
  /** Name of the user at that time. */
  by: string;
  at: number;
}

/** Limit kept with the live call, whose snapshot is written with each commit; the timeline has all. */
const MAX_GUIDANCE = 10;

interface Guided {
  /** Oldest first. */
  guidance?: readonly Guidance[];
}

export function isNewGuidance({ guidance = [] }: Guided, { guidanceId }: Pick<Guidance, 'guidanceId'>): boolean {
  return guidance.every(known => known.guidanceId !== guidanceId);
}

/** The newest guidance, with this one as the last. */
export function withGuidance({ guidance = [] }: Guided, newest: Guidance): readonly Guidance[] {
  return [...guidance, newest].slice(-MAX_GUIDANCE);
}
