type Header = readonly [name: string, value: string];

/** Headers that are the same for every channel, encoded once: an event of the switch is large, and building it must be cheap. */
export interface Padding {
  headers: readonly Header[];
  /** Lines of a plain event. */
  plain: string;
  /** Members of a JSON event, each after a comma. */
  json: string;
}

/** Percent-encodes UTF-8; a comma, an apostrophe and the usual URL punctuation stay as they are. */
export function encodeValue(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  return encodeURI(value.toWellFormed()).replace(/[:@&=+;?#]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const PLAIN_VALUE = /^[\w.,/()!~*'-]*$/;

function padding(...groups: readonly (readonly Header[])[]): Padding {
  const headers = groups.flat();
  return {
    headers,
    plain: headers.map(([name, value]) => `${name}: ${encodeValue(value)}\n`).join(''),
    json: headers.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join(''),
  };
}

const variables = (values: Readonly<Record<string, string>>): Header[] =>
  Object.entries(values).map(([name, value]) => [`variable_${name}`, value]);

const OFFER =
  'v=0\r\no=simulator 1795000001 1795000002 IN IP4 192.0.2.10\r\ns=simulator\r\nc=IN IP4 192.0.2.10\r\nt=0 0\r\nm=audio 30000 RTP/AVP 0 8 101\r\n' +
  'a=rtpmap:0 PCMU/8000\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\na=ptime:20\r\n';
const ANSWER =
  'v=0\r\no=phone 7001 7002 IN IP4 192.0.2.20\r\ns=-\r\nc=IN IP4 192.0.2.20\r\nt=0 0\r\nm=audio 6100 RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n';
const VIA = 'SIP/2.0/UDP 192.0.2.10:5080;rport;branch=z9hG4bKsimulated0001';

const CALLER: readonly Header[] = [
  ['Caller-Callee-ID-Name', 'Outbound Call'],
  ['Caller-Profile-Index', '1'],
  ['Caller-Channel-Resurrect-Time', '0'],
  ['Caller-Channel-Last-Hold', '0'],
  ['Caller-Channel-Hold-Accum', '0'],
  ['Caller-Screen-Bit', 'true'],
  ['Caller-Privacy-Hide-Name', 'false'],
  ['Caller-Privacy-Hide-Number', 'false'],
];

const CODECS: readonly Header[] = ['Read', 'Write'].flatMap(way => [
  [`Channel-${way}-Codec-Name`, 'PCMU'] as const,
  [`Channel-${way}-Codec-Rate`, '8000'] as const,
  [`Channel-${way}-Codec-Bit-Rate`, '64000'] as const,
]);

const MEDIA_OFFERED = variables({
  sip_profile_name: 'external',
  video_media_flow: 'disabled',
  text_media_flow: 'disabled',
  audio_media_flow: 'sendrecv',
  sip_local_network_addr: '192.0.2.10',
  sip_destination_url: 'sip:callee@192.0.2.20:5060',
  originate_early_media: 'false',
  rtp_use_codec_string: 'PCMU,PCMA',
  local_media_ip: '192.0.2.10',
  local_media_port: '30000',
  advertised_media_ip: '192.0.2.10',
  rtp_local_sdp_str: OFFER,
  sip_outgoing_contact_uri: '<sip:mod_sofia@192.0.2.10:5080>',
  sip_req_uri: 'callee@192.0.2.20:5060',
  sip_to_host: '192.0.2.20:5060',
  sip_from_host: '192.0.2.10',
  sofia_profile_name: 'external',
  recovery_profile_name: 'external',
  sofia_profile_url: 'sip:mod_sofia@192.0.2.10:5080',
});

/** Variables set by the callee's first SIP response. */
const DIALOG = variables({
  sip_reply_host: '192.0.2.20',
  sip_reply_port: '5060',
  sip_network_ip: '192.0.2.20',
  sip_network_port: '5060',
  sip_recover_contact: '<sip:192.0.2.20:5060;transport=UDP>',
  sip_full_via: VIA,
  sip_recover_via: VIA,
  sip_full_from: '<sip:caller@192.0.2.10>;tag=simulatedFrom',
  sip_full_to: '<sip:callee@192.0.2.20:5060>;tag=simulatedTo',
  sip_from_user: 'caller',
  sip_from_uri: 'caller@192.0.2.10',
  sip_to_user: 'callee',
  sip_to_port: '5060',
  sip_to_uri: 'callee@192.0.2.20:5060',
  sip_contact_params: 'transport=UDP',
  sip_contact_user: 'callee',
  sip_contact_port: '5060',
  sip_contact_uri: 'callee@192.0.2.20:5060',
  sip_contact_host: '192.0.2.20',
  sip_to_tag: 'simulatedTo',
  sip_from_tag: 'simulatedFrom',
  sip_cseq: '100000001',
  sip_call_id: '00000000-0000-4000-8000-simulated0001',
});

const MEDIA_AGREED = variables({
  switch_r_sdp: ANSWER,
  ep_codec_string: 'CORE_PCM_MODULE.PCMU@8000h@20i@64000b',
  remote_video_media_flow: 'inactive',
  remote_text_media_flow: 'inactive',
  remote_audio_media_flow: 'sendrecv',
  rtp_audio_recv_pt: '0',
  rtp_use_codec_name: 'PCMU',
  rtp_use_codec_rate: '8000',
  rtp_use_codec_ptime: '20',
  rtp_use_codec_channels: '1',
  rtp_last_audio_codec_string: 'PCMU@8000h@20i@1c',
  read_codec: 'PCMU',
  original_read_codec: 'PCMU',
  read_rate: '8000',
  original_read_rate: '8000',
  write_codec: 'PCMU',
  write_rate: '8000',
  dtmf_type: 'rfc2833',
  rtp_use_timer_name: 'soft',
  rtp_use_pt: '0',
  rtp_use_ssrc: '3000000001',
  rtp_2833_send_payload: '101',
  rtp_2833_recv_payload: '101',
  remote_media_ip: '192.0.2.20',
  remote_media_port: '6100',
});

const names = (prefix: string, values: string, value: string): Record<string, string> =>
  Object.fromEntries(values.split(' ').map(name => [`${prefix}${name}`, value]));

const ACCOUNTS = variables({
  digits_dialed: 'none',
  ...names('', 'bridge_epoch bridge_uepoch last_hold_epoch last_hold_uepoch resurrect_epoch resurrect_uepoch', '0'),
  ...names('hold_accum_', 'seconds usec ms', '0'),
  ...names('', 'progresssec answersec waitsec progress_mediasec flow_billsec progressmsec answermsec waitmsec progress_mediamsec', '0'),
  ...names('', 'flow_billmsec uduration billusec progressusec answerusec waitusec progress_mediausec flow_billusec', '0'),
});

const RTP_STATISTICS = variables({
  ...names('rtp_audio_in_', 'raw_bytes media_bytes packet_count media_packet_count skip_packet_count jitter_packet_count', '0'),
  ...names('rtp_audio_in_', 'dtmf_packet_count cng_packet_count flush_packet_count largest_jb_size flaw_total', '0'),
  ...names('rtp_audio_in_', 'jitter_min_variance jitter_max_variance jitter_loss_rate jitter_burst_rate mean_interval', '0.00'),
  ...names('rtp_audio_in_', 'quality_percentage', '100.00'),
  ...names('rtp_audio_in_', 'mos', '4.50'),
  ...names('rtp_audio_out_', 'raw_bytes media_bytes packet_count media_packet_count skip_packet_count dtmf_packet_count', '0'),
  ...names('rtp_audio_', 'out_cng_packet_count rtcp_packet_count rtcp_octet_count', '0'),
});

/** Before any SIP response. */
export const OFFERED = padding(CALLER, MEDIA_OFFERED);
/** After a SIP response: the callee rings, or has refused. */
export const RINGING = padding(CALLER, MEDIA_OFFERED, DIALOG);
export const ANSWERED = padding(CALLER, CODECS, MEDIA_OFFERED, DIALOG, MEDIA_AGREED);
export const ENDED_UNANSWERED = padding(CALLER, MEDIA_OFFERED, DIALOG, ACCOUNTS);
/** Ended without any SIP response from the far end. */
export const ENDED_SILENT = padding(CALLER, MEDIA_OFFERED, ACCOUNTS);
export const ENDED_ANSWERED = padding(CALLER, CODECS, MEDIA_OFFERED, DIALOG, MEDIA_AGREED, ACCOUNTS, RTP_STATISTICS);
/** For events that carry a channel without its variables. */
export const BARE = padding(CALLER, CODECS);
