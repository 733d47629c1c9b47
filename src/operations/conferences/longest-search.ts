import type { ConferenceSettings } from './deps.ts';

/** What lies between the rings of all agents, ms. */
const ROUTING_MARGIN_MS = 30_000;

/** Until an agent has been found for a customer or the search is given up, ms. Source: D12.5 */
export function longestSearchMs({
  ringTimeoutSeconds,
  maxAgentsAsked,
}: Pick<ConferenceSettings, 'ringTimeoutSeconds' | 'maxAgentsAsked'>): number {
  return ringTimeoutSeconds * 1_000 * maxAgentsAsked + ROUTING_MARGIN_MS;
}
