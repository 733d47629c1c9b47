/** What the person at an agent's phone does when it rings. */
export const PHONE_MANNERS = ['answers', 'rejects', 'busy', 'noAnswer'] as const;
export type PhoneManner = (typeof PHONE_MANNERS)[number];

/** An extension of the directory. */
export interface Phone {
  extension: string;
  isRegistered: boolean;
  manner: PhoneManner;
  /** From the first ring to the answer or the refusal, ms. */
  ringMs: number;
  /** How long the agent talks, bridged or in a conference with somebody, until it hangs up, ms; null: never. */
  talkMs: number | null;
}
