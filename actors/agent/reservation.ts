/** The call that holds an agent, through the wrap-up after it; JSON only. */
export interface HeldReservation {
  holder: string;
  /** Uuid of the agent's leg, unless `legUuid` is set. */
  fence: string;
  /** Channel uuid of an agent whose browser dialled in. */
  legUuid?: string | undefined;
  cellId: string;
  currentCall: string | null;
  wrapUpMs: number;
  /** Whether the agent must say what came of the call. */
  isRequired?: boolean;
  /** Null for a call of no campaign. */
  campaignId?: number | null;
  /** UTC ms. */
  reservedAt: number;
  answeredAt: number | null;
  /** The agent has said what came of the call. */
  isDisposed?: boolean;
  /** UTC ms of the call's end. */
  wrapUpAt?: number;
  /** More time that the agent asked for, ms. */
  extraMs?: number;
}
