import type { DirectoryPhone } from '#operations/agents/phone-directory.ts';

/** Profile of docker/freeswitch at which agents' phones register, and the dialplan of what they may call. */
const PROFILE = 'agents';
const CONTEXT = 'phones';
/** A phone that sends nothing is gone: a closed tab says no goodbye, and a customer waits at the other end. ms, as in docker/freeswitch/freeswitch.xml */
const MEDIA_TIMEOUT_MS = 5_000;

/** What FreeSWITCH takes for "nobody of that name". */
export const NOT_FOUND_DOCUMENT = documentOf('<section name="result"><result status="not found"/></section>');

/**
 * One user of FreeSWITCH's directory.
 *
 * Why: the address of its phone is `%`, a look into the registrations, because expanding `sofia_contact` needs api-expansion
 */
export function directoryDocument({ id, extension, domain, a1Hash }: DirectoryPhone): string {
  const params = [
    ['dial-string', `sofia/${PROFILE}/${extension}%${domain}`],
    ['allow-empty-password', 'false'],
    ['dial-var-media_timeout', String(MEDIA_TIMEOUT_MS)],
    ...(a1Hash === null ? [] : [['a1-hash', a1Hash]]),
  ];
  const user = [
    `<user id="${escapeXml(id)}">`,
    `<params>${params.map(([name = '', value = '']) => element('param', name, value)).join('')}</params>`,
    `<variables>${element('variable', 'user_context', CONTEXT)}</variables>`,
    '</user>',
  ].join('');
  return documentOf(`<section name="directory"><domain name="${escapeXml(domain)}"><users>${user}</users></domain></section>`);
}

function documentOf(section: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<document type="freeswitch/xml">${section}</document>\n`;
}

function element(tag: string, name: string, value: string): string {
  return `<${tag} name="${escapeXml(name)}" value="${escapeXml(value)}"/>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Characters that XML cannot carry are left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(/[&<>"']/g, sign => ENTITIES[sign] ?? '');
}
