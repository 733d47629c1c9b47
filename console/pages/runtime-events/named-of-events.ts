/** Placeholders of the texts `eventTold.<type>`. Where the event has all of them, that text replaces the plain text of its type. */
export const NAMED_OF_EVENTS: Readonly<Record<string, readonly string[]>> = {
  'intent.alert': ['keyword'],
  'intervention.active': ['agentName'],
  'supervisor.hangup': ['by', 'reason'],
  'campaign.blocked': ['failures', 'dials'],
  'line.silent': ['line', 'calls'],
  'number.few_answers': ['line', 'numberEnding', 'dials', 'answered', 'expected'],
  'dispatch.variables_left_out': ['names'],
  'cell.up': ['cellId'],
  'cell.down': ['cellId'],
  'dependency.up': ['name'],
  'dependency.down': ['name'],
  'runtime.up': ['name'],
  'runtime.down': ['name'],
};

/** Key of the text for an act of an agent with the customer's line or their own phone; null for any other event, and for one that does not say. */
export function controlKeyOf(type: string, detail: unknown): string | null {
  const { kind } = Object(detail) as { kind?: unknown };
  return type === 'call.controlled' && typeof kind === 'string' ? `controlTold.${kind}` : null;
}
