/** Stands where the number to call goes. */
const PLACEHOLDER = '{{destinationNumber}}';
/** A line that is dialled from several switches leaves the name of the profile to each of them. */
const PROFILE_PLACEHOLDER = '{{sipProfile}}';

/** Variables in front of the endpoint: `{absolute_codec_string=PCMA}`, `[sip_h_X-Line=3]`. */
const GROUPS = /^(?:\{[^{}[\]]*\}|\[[^{}[\]]*\])+/;
/** Nothing that separates, quotes or expands. */
const GROUP_VALUE = /^[A-Za-z0-9_.:@+*#/~-]{1,128}$/;
const SIP_HEADER = /^sip_h_[A-Za-z][A-Za-z0-9-]{0,63}$/;
/** What a carrier may ask of a call beside headers: codecs, time-outs, DTMF, identity, media. Any other variable may run programs or redirect the call. */
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
/** Names its SIP domain, as a gateway does that is called by it: realm and From domain are the gateway's name unless it says otherwise. */
const DOMAIN = new RegExp(String.raw`^(?:(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,63}|(?:\d{1,3}\.){3}\d{1,3})${PORT}$`);
/** Variables of a line that name the domain of its From. */
const OWN_DOMAIN = /[{[,](?:sip_invite_domain|sip_from_host)=([^,\]}]+)/;
/** Parameters of the called address that say how to reach it or whose number it is; none names another host. */
const PARAMETERS = String.raw`(?:;(?:transport=(?:udp|tcp|tls)|user=phone|(?:phone-context|tgrp|trunk-context|rn|cpc|isup-oli|noa)=[A-Za-z0-9+.-]{1,64}|npdi))*`;

const GATEWAY = new RegExp(String.raw`^sofia/gateway/(?:${NAME}::)?(?<gateway>${NAME})/${USER}${PARAMETERS}$`);
const PROFILE = new RegExp(String.raw`^sofia/(?:(?!gateway/)${NAME}|\{\{sipProfile\}\})/(?:sip:)?${USER}@(${HOST}${PORT})${PARAMETERS}$`);
const EXTENSION = new RegExp(String.raw`^user/${USER}(?:@(${HOST}))?$`);

const ENDPOINTS = 'sofia/gateway/<网关>/…、sofia/<配置>/…@<主机>[:端口]、user/…@<域>';
const MAX_NAMED_LENGTH = 64;

export type DialTemplate =
  | {
      kind: 'allowed';
      /** As written, with the placeholder. */
      groups: string;
      address: string;
      /** Host of the called address; of a gateway its own domain as far as the template says. */
      host: string | null;
      /** Its name; null: none, the call leaves by a profile or to the directory. */
      gateway: string | null;
      /** Name of a gateway whose domain the template does not say: only its switch may. */
      closedGateway: string | null;
    }
  /** `fault`: what is not allowed, Chinese, fit to follow the field's name. */
  | { kind: 'refused'; fault: string };

/**
 * What a line's dial string may say: one leg over a gateway, a profile or the directory, with variables that carriers need. Nothing else.
 *
 * Why:    an endpoint or a variable of the switch may run programs there; whoever writes lines is no administrator of the switch
 * Source: D4.1, test/fixtures/esl/README.md §1a "loopback/app", §3 "A|B", "A,B"
 */
export function readDialTemplate(template: string): DialTemplate {
  const groups = GROUPS.exec(template.replace(PLACEHOLDER, '0'))?.[0] ?? '';
  const unfit = unfitVariable(groups);
  if (unfit !== null) return { kind: 'refused', fault: unfit };
  const address = template.slice(groups.length);
  const found = GATEWAY.exec(address) ?? PROFILE.exec(address) ?? EXTENSION.exec(address);
  if (found === null) return { kind: 'refused', fault: `不允许的拨号方式 ${named(address)}：只能是 ${ENDPOINTS}` };
  const gateway = found.groups?.gateway;
  if (gateway === undefined) return { kind: 'allowed', groups, address, host: found[1] ?? null, gateway: null, closedGateway: null };
  const host = [OWN_DOMAIN.exec(groups)?.[1], gateway].find(name => name !== undefined && DOMAIN.test(name)) ?? null;
  return { kind: 'allowed', groups, address, host, gateway, closedGateway: host === null ? gateway : null };
}

/** Puts the number, and the profile of the cell that dials, into an allowed template. */
export function fillDialTemplate(
  { groups, address }: Extract<DialTemplate, { kind: 'allowed' }>,
  { number, sipProfile }: { number: string; sipProfile: string },
): string {
  return groups + address.replace(PROFILE_PLACEHOLDER, () => sipProfile).replace(PLACEHOLDER, () => number);
}

function unfitVariable(groups: string): string | null {
  for (const pair of groups.split(/[{}[\],]/)) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    if (!GROUP_NAMES.has(name) && !SIP_HEADER.test(name)) return `不允许的变量 ${named(name)}`;
    if (!GROUP_VALUE.test(rest.join('=')) || pair.includes(':_:')) return `变量 ${named(name)} 的值含有不允许的字符`;
  }
  return null;
}

function named(text: string): string {
  return text.length <= MAX_NAMED_LENGTH ? text : `${text.slice(0, MAX_NAMED_LENGTH)}…`;
}
