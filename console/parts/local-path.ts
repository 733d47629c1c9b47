/** Only its origin counts: nothing is asked there. */
const HERE = 'http://console.invalid';

/**
 * Where to go after signing in, as an address of this console: `/` for whatever a browser would take for another place.
 *
 * Why: what stands in the address may come from anybody, and browsers leave out tabs and line ends and read a backslash as a slash
 */
export function localPath(asked: string | null): string {
  if (!asked?.startsWith('/') || /[\p{Cc}\\]/u.test(asked) || !URL.canParse(asked, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(asked, HERE);
  const path = pathname + search + hash;
  return origin === HERE && !path.startsWith('//') ? path : '/';
}
