/** Looks up the password hash (HA1) of a phone's user; null when the user is unknown or may not use the extension. */
export type FindA1Hash = (question: { extension: string; authUsername: string; realm: string; method: string }) => Promise<string | null>;

/** Longest answer of the product, in bytes, and how long it may take, in ms. */
const MAX_ANSWER_LENGTH = 16_384;
const TIMEOUT_MS = 3_000;
const A1_HASH = /<param name="a1-hash" value="([0-9a-f]{32})"\/>/;

/**
 * Asks the product for the hash with the form that mod_xml_curl of a FreeSWITCH posts.
 *
 * Errors: any, when the product does not answer: a phone is then put off, not refused
 * Source: src/agents/phone-directory-page.ts, docker/freeswitch/autoload_configs/xml_curl.conf.xml
 */
export function productDirectory(url: string, token: string): FindA1Hash {
  const authorization = `Basic ${Buffer.from(`callout:${token}`).toString('base64')}`;
  return async ({ extension, authUsername, realm, method }) => {
    const body = new URLSearchParams({
      section: 'directory',
      tag_name: 'domain',
      key_name: 'name',
      key_value: realm,
      action: 'sip_auth',
      sip_auth_method: method,
      sip_auth_realm: realm,
      sip_to_user: extension,
      sip_from_user: extension,
      user: authUsername,
    });
    const response = await fetch(url, { method: 'POST', headers: { authorization }, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`the directory answers ${response.status}`);
    return A1_HASH.exec((await response.text()).slice(0, MAX_ANSWER_LENGTH))?.[1] ?? null;
  };
}
