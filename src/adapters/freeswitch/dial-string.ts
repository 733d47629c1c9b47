const PLACEHOLDER = '{{destinationNumber}}';
/** A line that is dialled from several switches leaves the name of the profile to each of them. */
const PROFILE_PLACEHOLDER = '{{sipProfile}}';
const DEFAULT_PROFILE = 'external';
/** Variables of a line in front of its dial string: `{absolute_codec_string=PCMA}`, `[sip_h_X-Line=3]`. */
const GROUPS = /^(?:\{[^{}[\]]*\}|\[[^{}[\]]*\])+/;
const PAIR = /^([A-Za-z0-9_-]{1,64})=[A-Za-z0-9_.:@%+*#/~-]{1,128}$/;
/** An endpoint, a path, a host: no spaces, quotes, commas, bars or braces, which would begin another leg, argument or variable. */
const ADDRESS = /^[A-Za-z0-9_.:@%+*#/;=~-]+$/;
const HOST = /\{\{destinationNumber\}\}@([A-Za-z0-9.-]{1,253}(?::\d{1,5})?)(?:$|;)/;
/** Ours alone: the fence against a second dial rests on them. */
const OWN_NAME = /^(origination_|originate_|ignore_early_media$|callout_|execute_on_|api_)/i;

export interface DialString {
  dialString: string;
  /** Host of the called address, null for a gateway. */
  host: string | null;
}

/**
 * Puts the number into a line's dial string; null when the template could dial, set or run anything else.
 *
 * Source: D1.3 "sipProfile", D4.1, fixtures/esl/README.md §3 "A|B", "A,B"
 */
export function readTemplate(text: string, number: string, sipProfile = DEFAULT_PROFILE): DialString | null {
  const template = text.replaceAll(PROFILE_PLACEHOLDER, sipProfile);
  const parts = template.split(PLACEHOLDER);
  if (parts.length !== 2) return null;
  const groups = GROUPS.exec(template.replace(PLACEHOLDER, '0'))?.[0] ?? '';
  if (!areHarmless(groups)) return null;
  const address = template.slice(groups.length);
  if (!ADDRESS.test(address.replace(PLACEHOLDER, '0')) || address.includes(':_:')) return null;
  return { dialString: groups + address.replace(PLACEHOLDER, number), host: HOST.exec(address)?.[1] ?? null };
}

function areHarmless(groups: string): boolean {
  const pairs = groups.split(/[{}[\],]/).filter(pair => pair !== '');
  return pairs.every(pair => {
    const name = PAIR.exec(pair)?.[1];
    return name !== undefined && !OWN_NAME.test(name) && !pair.includes(':_:');
  });
}
