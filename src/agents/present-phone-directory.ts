import type { DirectoryPhone } from './agents-phone-directory.ts';

/** Profile of docker/freeswitch where agents' phones register, and the dialplan context of the numbers that they may call. */
const PROFILE = 'agents';
const CONTEXT = 'phones';
/**
 * Media timeout of a phone, in ms, as in docker/freeswitch/freeswitch.xml: a closed browser tab sends no BYE, but a customer is waiting.
 */
const MEDIA_TIMEOUT_MS = 5_000;

/** FreeSWITCH's form of "no such user". */
export const NOT_FOUND_DOCUMENT = documentOf('<section name="result"><result status="not found"/></section>');

/**
 * One user of FreeSWITCH's directory.
 *
 * Why: `%` in the phone's address looks it up in the registrations; expanding `sofia_contact` instead would need api-expansion
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

/** Escapes text for XML and leaves out characters that XML cannot carry. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(/[&<>"']/g, sign => ENTITIES[sign] ?? '');
}
