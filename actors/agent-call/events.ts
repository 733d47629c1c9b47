import type { HangupBy } from '#attempts/attempt.ts';

/**
 * Events of a call between an agent and a customer; they may arrive in any order and repeatedly.
 *
 * Units:  `at` UTC ms
 * Source: D12.3, test/fixtures/esl/README.md §3
 */
export type AgentCallEvent =
  | { type: 'agentRinging' }
  /** `answeredAt` is absent when the time of the answer is unknown. */
  | { type: 'agentAnswered'; answeredAt?: number | undefined }
  /** The leg has ended: hung up, refused, not sent (`reason`, Chinese), or unanswered in time; then it may still ring (`mayStand`). */
  | { type: 'agentGone'; cause: string; reason?: string; mayStand?: boolean | undefined; at: number }
  /** The agent has no channel at the switch. `fence` identifies the reservation. */
  | { type: 'agentMissing'; agentId: number; fence: string }
  | { type: 'customerSent' }
  | { type: 'customerRinging' }
  | { type: 'customerAnswered'; at: number }
  /** `answeredAt` is set when the answer was not reported before the end. */
  | { type: 'customerHungUp'; cause: string; by: HangupBy | null; answeredAt?: number | null | undefined; at: number }
  /** The switch refused the dial, or it was certainly not sent: no channel existed. */
  | { type: 'customerRefused'; cause: string; reason: string; at: number }
  /** The customer's channel exists and is unanswered. */
  | { type: 'customerFound' }
  | { type: 'customerMissing'; at: number }
  | { type: 'legsBridged' }
  | { type: 'bridgeFailed'; at: number }
  /** Events may have been lost: probe the legs now. */
  | { type: 'callSuspected' };
