import type { HangupBy } from '#model/attempt.ts';

/**
 * What can happen to a call between an agent and a customer, in any order and more than once.
 *
 * Units:  `at` UTC ms
 * Source: D12.3, test/fixtures/esl/README.md §3
 */
export type AgentCallEvent =
  | { type: 'agentRinging' }
  /** `answeredAt` absent: nobody knows since when. */
  | { type: 'agentAnswered'; answeredAt?: number | undefined }
  /** The leg is over: hung up, refused, not sent (`reason`, Chinese), or nobody picked up in time: then it may still ring (`mayStand`). */
  | { type: 'agentGone'; cause: string; reason?: string; mayStand?: boolean | undefined; at: number }
  /** There is no channel of the agent's at the switch. `fence`: of its reservation. */
  | { type: 'agentMissing'; agentId: number; fence: string }
  | { type: 'customerSent' }
  | { type: 'customerRinging' }
  | { type: 'customerAnswered'; at: number }
  /** `answeredAt`: known from the end alone when the answer was not reported. */
  | { type: 'customerHungUp'; cause: string; by: HangupBy | null; answeredAt?: number | null | undefined; at: number }
  /** The switch refused the dial, or it was certainly not sent: no channel ever existed. */
  | { type: 'customerRefused'; cause: string; reason: string; at: number }
  /** There is a channel of the customer's, and nobody has answered it. */
  | { type: 'customerFound' }
  | { type: 'customerMissing'; at: number }
  | { type: 'legsBridged' }
  | { type: 'bridgeFailed'; at: number }
  /** Something may have swallowed events: look at the legs now. */
  | { type: 'callSuspected' };
