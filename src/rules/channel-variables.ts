/** Bounds of what one call carries beside Callout's own variables. */
export const MAX_CHANNEL_VARIABLES = 100;
export const MAX_VARIABLE_NAME_LENGTH = 64;
export const MAX_VARIABLE_VALUE_LENGTH = 1_024;
/** Characters of all names and values together. */
export const MAX_VARIABLES_LENGTH = 32_768;

const NAME = /^[A-Za-z0-9_-]+$/;

/** Families of names that steer the switch, its SIP stack, or Callout; compared without case, as the switch does. */
const RESERVED_PREFIXES = words(`
  absolute_codec amd_ api_ avmd_ bind_ bleg_ bridge_ bypass_media call_timeout callee_id_ caller_id_ callout_ campon_ cc_
  codec_ conference_ continue_on_ detect_speech dialed_ disable_ dtls_ dtmf_ early_media eavesdrop_ effective_ enable_heartbeat
  enable_file_write exec_ execute_ export_vars fail_on_ failure_ fax_ fifo_ group_confirm_ hangup_ hold_music ignore_
  inherit_codec instant_ringback intercept_ jitterbuffer last_bridge_ leg_ limit_backend limit_ignore limit_realm limit_usage
  local_audio_ local_media_ local_sdp local_video_ loopback_ max_session media_ monitor_early_media nibble_ nolocal originate_
  originating_ origination_ originator outbound_caller_ outbound_redirect park_ pass_rfc2833 playback_ pre_answer pre_buffer
  pre_transfer presence_ proxy_media progress_ read_ record_ recording_follow recovery_ redirect_ remote_audio_ remote_caller_
  remote_media_ remote_video_ rfc2833_ ring_ready ringback rtcp_ rtp_ send_silence signal_bond sip- sip_ skip_cdr sofia_ srtp_
  suppress_ switch_ t38_ tone_detect_ transfer_after transfer_fallback transfer_history transfer_ringback transfer_source
  unbridge uuid_ verto_ video_ wait_for_ write_ zrtp_
`);

const RESERVED_NAMES = new Set(
  words(`
  accountcode answer_delay billaccount call_uuid channel_name context current_application current_application_data current_loop
  default_language destination_number dialplan direction domain_name endpoint_disposition ep_codec_string exec
  force_transfer_context force_transfer_dialplan gateway_name hold_hangup_xfer_exten max_forwards passthru process_cdr
  profile_name sched_hangup session_id session_in_hangup_hook sound_prefix timer_name tts_engine tts_voice user_context uuid vars
`),
);

export interface ChannelVariables {
  variables: Readonly<Record<string, string>>;
  /** Names that were not taken for their name, length or number, each once, as written. */
  leftOut: readonly string[];
}

/**
 * The variables that a call carries under their own names: those of the campaign, then the contact's metadata; the later wins.
 *
 * Why:    a reserved name could redirect a call or run an application at the switch
 * Shape:  string values only, others are ignored; names that differ in case alone are one variable, as at the switch
 * Source: D4.5, OCS 2.6, 2.7
 */
export function channelVariables(
  campaignVariables: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>>,
): ChannelVariables {
  const taken = new Map<string, { name: string; value: string }>();
  const leftOut = new Set<string>();
  let length = 0;
  for (const [name, value] of [...Object.entries(campaignVariables), ...Object.entries(metadata)]) {
    if (typeof value !== 'string') continue;
    const key = name.toLowerCase();
    const earlier = taken.get(key);
    const grown = length + name.length + value.length - (earlier ? earlier.name.length + earlier.value.length : 0);
    const hasRoom = grown <= MAX_VARIABLES_LENGTH && (earlier !== undefined || taken.size < MAX_CHANNEL_VARIABLES);
    if (!isVariableName(name) || value.length > MAX_VARIABLE_VALUE_LENGTH || !hasRoom) leftOut.add(name);
    else {
      taken.set(key, { name, value });
      length = grown;
    }
  }
  return { variables: Object.fromEntries([...taken.values()].map(({ name, value }) => [name, value])), leftOut: [...leftOut] };
}

/** Whether a campaign's or contact's variable may stand on a channel under this name. Source: D4.5 */
export function isVariableName(name: string): boolean {
  if (name.length > MAX_VARIABLE_NAME_LENGTH || !NAME.test(name)) return false;
  const lower = name.toLowerCase();
  return !RESERVED_NAMES.has(lower) && !RESERVED_PREFIXES.some(prefix => lower.startsWith(prefix));
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
