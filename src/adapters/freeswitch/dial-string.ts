import { fillDialTemplate, readDialTemplate } from '#rules/dial-template.ts';

/** Of a cell that names none. */
const DEFAULT_PROFILE = 'external';

export interface DialString {
  dialString: string;
  /** Of the caller's URIs; null for a gateway whose domain the template does not say. */
  host: string | null;
}

/**
 * Puts the number into a line's dial string; null when the template could dial, set or run anything else.
 *
 * Why: judged again here, because a stored line may be older than the rule
 */
export function readTemplate(template: string, number: string, sipProfile = DEFAULT_PROFILE): DialString | null {
  const read = readDialTemplate(template);
  return read.kind === 'allowed' ? { dialString: fillDialTemplate(read, { number, sipProfile }), host: read.host } : null;
}
