/** Base for parsing; only its origin matters, and it is never requested. */
const HERE = 'http://console.invalid';

/**
 * Path to open after signing in; `/` when a browser would resolve it to another origin.
 *
 * Why: the URL may come from an attacker, and browsers drop tabs and line breaks and read a backslash as a slash
 */
export function localPath(asked: string | null): string {
  if (!asked?.startsWith('/') || /[\p{Cc}\\]/u.test(asked) || !URL.canParse(asked, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(asked, HERE);
  const path = pathname + search + hash;
  return origin === HERE && !path.startsWith('//') ? path : '/';
}
