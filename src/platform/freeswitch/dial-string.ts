import { fillDialTemplate, readDialTemplate } from './dial-template.ts';

/** SIP profile of a cell that configures none. */
const DEFAULT_PROFILE = 'external';

export interface DialString {
  dialString: string;
  /** Host for caller URIs; null for a gateway whose domain the template does not contain. */
  host: string | null;
}

/**
 * Fills the number into a line's dial string; null when the template could dial, set or run anything else.
 *
 * Why: checked again here, because a stored line may predate the rule
 */
export function readTemplate(template: string, number: string, sipProfile = DEFAULT_PROFILE): DialString | null {
  const read = readDialTemplate(template);
  return read.kind === 'allowed' ? { dialString: fillDialTemplate(read, { number, sipProfile }), host: read.host } : null;
}
