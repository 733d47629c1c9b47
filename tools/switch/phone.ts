/** Response of an agent's phone when it rings. */
export const PHONE_MANNERS = ['answers', 'rejects', 'busy', 'noAnswer'] as const;
export type PhoneManner = (typeof PHONE_MANNERS)[number];

/** An extension of the directory. */
export interface Phone {
  extension: string;
  isRegistered: boolean;
  manner: PhoneManner;
  /** Time from the first ring to the answer or the refusal, in ms. */
  ringMs: number;
  /** Talk time of the agent in company (bridged, or in a conference) before they hang up, in ms; null: never. */
  talkMs: number | null;
}
