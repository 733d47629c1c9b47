/**
 * The file name under which a recording is stored and shown: the last segment of a path or URL, without query. Null when nothing is left,
 * or when the result would itself be a URL.
 *
 * Why:    the location of recordings may change (`GET /api/media/config`), their names do not
 * Source: OCS 4.16, D7.7
 */
export function recordingName(path: string | null): string | null {
  const name = (path ?? '').replace(/[?#].*$/s, '').replaceAll('\\', '/');
  const last = name.slice(name.lastIndexOf('/') + 1).trim();
  return isFileName(last) ? last : null;
}

/** Audio types that browsers play, by file extension. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  webm: 'audio/webm',
  flac: 'audio/flac',
};

/** Null when the extension is not a known audio type. */
export function mediaTypeOf(name: string): string | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(MEDIA_TYPES, extension) ? (MEDIA_TYPES[extension] ?? null) : null;
}

const MAX_BYTES = 255;

/** A URL scheme that a browser would follow: `javascript:`, `data:`, `blob:`. A time of day starts with a digit and does not match. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** The name becomes part of a URL that browsers fetch: no path traversal and no invisible characters. */
function isFileName(name: string): boolean {
  return name !== '' && !SCHEME.test(name) && !/^\.+$/.test(name) && !/[\p{Cc}\p{Cf}]/u.test(name) && Buffer.byteLength(name) <= MAX_BYTES;
}
