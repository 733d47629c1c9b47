/** Page about a day of an agent: today, as long as no other is chosen. */
export function agentDayPath(agentId: string): string {
  return `/agents/${agentId}/day`;
}
