import type { ConferenceSettings } from './deps.ts';

/** Allowance for the time between the rings of successive agents, in ms. */
const ROUTING_MARGIN_MS = 30_000;

/** Returns the longest time until an agent is found for a customer or the search ends, in ms. Source: D12.5 */
export function longestSearchMs({
  ringTimeoutSeconds,
  maxAgentsAsked,
}: Pick<ConferenceSettings, 'ringTimeoutSeconds' | 'maxAgentsAsked'>): number {
  return ringTimeoutSeconds * 1_000 * maxAgentsAsked + ROUTING_MARGIN_MS;
}
