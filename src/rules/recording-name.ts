/**
 * The short file name by which a recording is kept and shown: the last part of a path or address, without query; null when nothing is left.
 *
 * Why:    where recordings are served may change (`GET /api/media/config`), their names do not
 * Source: OCS 4.16, D7.7
 */
export function recordingName(path: string | null): string | null {
  const name = (path ?? '').replace(/[?#].*$/s, '').replaceAll('\\', '/');
  return name.slice(name.lastIndexOf('/') + 1).trim() || null;
}
