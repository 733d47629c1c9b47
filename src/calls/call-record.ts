import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { causeOf } from '#protocol/call-status.ts';
import { endedBy, isSilentEnd } from '#platform/freeswitch/channel-end.ts';
import type { CallRecord } from './settle-by-record.ts';
import { membersOf } from '#kernel/typed.ts';

/** Encodings of a record by mod_json_cdr, whose setting `encode` is false, true or base64. */
type Encoding = 'json' | 'form' | 'base64';

const ENCODINGS: readonly (readonly [type: RegExp, encoding: Encoding])[] = [
  [/^application\/json\s*(?:;|$)/i, 'json'],
  [/^application\/x-www-form-urlencoded\s*(?:;|$)/i, 'form'],
  [/^application\/x-www-form-base64-encoded\s*(?:;|$)/i, 'base64'],
];

/**
 * The record in a request of mod_json_cdr (or of mod_format_cdr with `format` json); null when it describes no ended channel.
 *
 * Errors: UNSUPPORTED_MEDIA_TYPE; INVALID_ARGUMENT for a body that holds no record
 * Source: mod_json_cdr.c `process_cdr`, switch_ivr.c `switch_ivr_generate_json_cdr`
 */
export function parseCallRecord(contentType: string, body: Buffer): CallRecord | null {
  const encoding = ENCODINGS.find(([type]) => type.test(contentType))?.[1];
  if (encoding === undefined) {
    throw new CalloutError('UNSUPPORTED_MEDIA_TYPE', '请求体必须是 application/json，或以 cdr= 开头的表单');
  }
  const read = variablesOf(textOf(encoding, body));
  return read && recordOf(read);
}

type Variables = (name: string) => string | null;

function textOf(encoding: Encoding, body: Buffer): string {
  const text = body.toString('utf8').trim();
  if (encoding === 'json') return text;
  if (!text.startsWith('cdr=')) throw malformed();
  const value = text.slice('cdr='.length);
  return encoding === 'base64' ? Buffer.from(value, 'base64').toString('utf8').replace(/\0+$/, '') : percentDecoded(value);
}

/** Decodes percent-encoding; a sequence that is not UTF-8 stays as it is. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, encoded => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function variablesOf(text: string): Variables | null {
  try {
    const { variables } = membersOf(JSON.parse(text));
    if (typeof variables !== 'object' || variables === null) throw malformed();
    const values = new Map(Object.entries(variables));
    return name => {
      const value = values.get(name);
      return typeof value === 'string' ? percentDecoded(value) : null;
    };
  } catch (error) {
    if (error instanceof SyntaxError) return bareVariables(text);
    throw error;
  }
}

/**
 * Reads variables from a decoded form that is not valid JSON. With `encode-values` (on by default) the module encodes values only once, so
 * decoding the form leaves quotes and line breaks in them bare. The variables read here contain neither; the switch sets them last.
 */
function bareVariables(text: string): Variables {
  const start = text.indexOf('"variables":');
  const end = text.indexOf('"callflow":', start);
  if (start < 0) throw malformed();
  const part = text.slice(start, end < 0 ? undefined : end);
  return name => part.slice(part.lastIndexOf(`"${name}":"`)).match(new RegExp(`^"${name}":"([\\w.:-]{0,128})"`))?.[1] ?? null;
}

function recordOf(read: Variables): CallRecord | null {
  const [requestId, told, endedAt] = [read('uuid') ?? read('call_uuid'), read('hangup_cause'), instant(read('end_uepoch'))];
  if (requestId === null || told === null || endedAt === null) return null;
  const cause = causeOf(told, read('sip_term_status'));
  const answeredAt = instant(read('answer_uepoch'));
  const progressAt = instant(read('progress_uepoch')) ?? instant(read('progress_media_uepoch'));
  const end = { cause, disposition: read('sip_hangup_disposition'), replyHost: read('sip_reply_host'), answeredAt, progressAt };
  return { requestId: requestId.toLowerCase(), cause, by: endedBy(end), answeredAt, endedAt, isSilent: isSilentEnd(end) };
}

/** Converts microseconds to UTC ms; 0 means never. */
function instant(text: string | null): number | null {
  const micros = Number(text ?? 0);
  return Number.isSafeInteger(micros) && micros > 0 ? Math.floor(micros / 1_000) : null;
}

function malformed(): CalloutError {
  return invalidArgument('请求体', 'callRecord');
}
