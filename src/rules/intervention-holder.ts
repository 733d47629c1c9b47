/** Under which name an intervention holds the agent of whoever claimed (`AgentWish.holder`). Source: D9.3 */
export function interventionHolder(interventionId: string): string {
  return `intervention:${interventionId}`;
}
