import { type Problem, problem } from '#kernel/problem.ts';

/** Placeholder for the destination number. */
const PLACEHOLDER = '{{destinationNumber}}';
/** Placeholder for the SIP profile, for a line that several switches dial through profiles of their own. */
const PROFILE_PLACEHOLDER = '{{sipProfile}}';

/** Channel variables in front of the endpoint: `{absolute_codec_string=PCMA}`, `[sip_h_X-Line=3]`. */
const GROUPS = /^(?:\{[^{}[\]]*\}|\[[^{}[\]]*\])+/;
/** Contains no separator, quote or expansion. */
const GROUP_VALUE = /^[A-Za-z0-9_.:@+*#/~-]{1,128}$/;
const SIP_HEADER = /^sip_h_[A-Za-z][A-Za-z0-9-]{0,63}$/;
/** Variables that carriers may need: codecs, time-outs, DTMF, identity, media. Any other could run programs or redirect the call. */
const GROUP_NAMES = new Set(
  `absolute_codec_string codec_string inherit_codec rtp_disable_hold
  leg_timeout leg_progress_timeout call_timeout progress_timeout leg_delay_start
  media_timeout rtp_timeout_sec rtp_hold_timeout_sec sip_session_timeout
  dtmf_type rtp_secure_media rtp_jitter_buffer_during_bridge jitterbuffer_msec suppress_cng send_silence_when_idle disable_rtp_auto_adjust
  sip_cid_type sip_from_host sip_from_user sip_invite_domain sip_contact_user
  effective_caller_id_number effective_caller_id_name origination_privacy privacy`.split(/\s+/),
);

const USER = String.raw`[A-Za-z0-9+*#._-]{0,64}\{\{destinationNumber\}\}[A-Za-z0-9+*#._-]{0,64}`;
const NAME = '[A-Za-z0-9_.-]{1,64}';
const HOST = String.raw`[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?`;
const PORT = String.raw`(?::\d{1,5})?`;
/** Gateway named like its SIP domain; realm and From domain default to the gateway's name. */
const DOMAIN = new RegExp(String.raw`^(?:(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,63}|(?:\d{1,3}\.){3}\d{1,3})${PORT}$`);
/** Variables that set the domain of the From header. */
const OWN_DOMAIN = /[{[,](?:sip_invite_domain|sip_from_host)=([^,\]}]+)/;
/** URI parameters about transport or number type; none of them can redirect the call to another host. */
const PARAMETERS = String.raw`(?:;(?:transport=(?:udp|tcp|tls)|user=phone|(?:phone-context|tgrp|trunk-context|rn|cpc|isup-oli|noa)=[A-Za-z0-9+.-]{1,64}|npdi))*`;

const GATEWAY = new RegExp(String.raw`^sofia/gateway/(?:${NAME}::)?(?<gateway>${NAME})/${USER}${PARAMETERS}$`);
const PROFILE = new RegExp(String.raw`^sofia/(?:(?!gateway/)${NAME}|\{\{sipProfile\}\})/(?:sip:)?${USER}@(${HOST}${PORT})${PARAMETERS}$`);
const EXTENSION = new RegExp(String.raw`^user/${USER}(?:@(${HOST}))?$`);

const MAX_NAMED_LENGTH = 64;

export type DialTemplate =
  | {
      kind: 'allowed';
      /** Unparsed, placeholder included. */
      groups: string;
      address: string;
      /** Host of the dialled address; for a gateway, its domain as far as the template states it. */
      host: string | null;
      /** Gateway name; null when the call leaves through a profile or to a directory user. */
      gateway: string | null;
      /** Gateway whose domain the template does not state: only a switch that has it can tell. */
      closedGateway: string | null;
    }
  /** `fault`: what is not allowed. */
  | { kind: 'refused'; fault: Problem };

/**
 * Parses a line's dial string: one leg over a gateway, a profile or the directory, with variables that carriers need. Anything else is refused.
 *
 * Why:    endpoints and variables of the switch can run programs, and users who edit lines are not administrators of the switch
 * Source: D4.1, test/fixtures/esl/README.md §1a "loopback/app", §3 "A|B", "A,B"
 */
export function readDialTemplate(template: string): DialTemplate {
  const groups = GROUPS.exec(template.replace(PLACEHOLDER, '0'))?.[0] ?? '';
  const unfit = unfitVariable(groups);
  if (unfit !== null) return { kind: 'refused', fault: unfit };
  const address = template.slice(groups.length);
  const found = GATEWAY.exec(address) ?? PROFILE.exec(address) ?? EXTENSION.exec(address);
  if (found === null) return { kind: 'refused', fault: problem('dialEndpoint', { given: named(address) }) };
  const gateway = found.groups?.gateway;
  if (gateway === undefined) return { kind: 'allowed', groups, address, host: found[1] ?? null, gateway: null, closedGateway: null };
  const host = [OWN_DOMAIN.exec(groups)?.[1], gateway].find(name => name !== undefined && DOMAIN.test(name)) ?? null;
  return { kind: 'allowed', groups, address, host, gateway, closedGateway: host === null ? gateway : null };
}

/** Fills in the number and the SIP profile of the dialling cell. */
export function fillDialTemplate(
  { groups, address }: Extract<DialTemplate, { kind: 'allowed' }>,
  { number, sipProfile }: { number: string; sipProfile: string },
): string {
  return groups + address.replace(PROFILE_PLACEHOLDER, () => sipProfile).replace(PLACEHOLDER, () => number);
}

function unfitVariable(groups: string): Problem | null {
  for (const pair of groups.split(/[{}[\],]/)) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    if (!GROUP_NAMES.has(name) && !SIP_HEADER.test(name)) return problem('dialVariable', { name: named(name) });
    if (!GROUP_VALUE.test(rest.join('=')) || pair.includes(':_:')) return problem('dialVariableValue', { name: named(name) });
  }
  return null;
}

function named(text: string): string {
  return text.length <= MAX_NAMED_LENGTH ? text : `${text.slice(0, MAX_NAMED_LENGTH)}…`;
}
