import type { Express, Request, Response } from 'express';
import { CalloutError } from '#kernel/errors.ts';
import { basicPassword } from '#platform/http/authorize.ts';
import { readFormBody } from '#platform/http/bodies.ts';
import { exchangeOf } from '#platform/http/trace.ts';
import { type DirectoryPhone, findDirectoryPhone, type PhoneQuestion } from './sip-config.ts';
import type { App } from '#app/app.ts';

/** Profile of docker/freeswitch where agents' phones register, and the dialplan context of the numbers that they may call. */
const PROFILE = 'agents';
const CONTEXT = 'phones';
/**
 * Media timeout of a phone, in ms, as in docker/freeswitch/freeswitch.xml: a closed browser tab sends no BYE, but a customer is waiting.
 */
const MEDIA_TIMEOUT_MS = 5_000;

/** FreeSWITCH's form of "no such user". */
const NOT_FOUND_DOCUMENT = documentOf('<section name="result"><result status="not found"/></section>');

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

export const PHONE_DIRECTORY_PATH = '/internal/freeswitch/directory';
/** Some forms include a phone's whole REGISTER with its headers. */
const MAX_FORM_BYTES = 64 * 1024;

/**
 * Serves FreeSWITCH's directory (mod_xml_curl): the agents' phones with the hashes of their passwords.
 *
 * Why:    not a row of the interface, because a switch queries with a form and HTTP Basic, and reads XML without an envelope
 * Errors: 401 without the internal token as the password; a query without a result gets FreeSWITCH's document "not found"
 */
export function phoneDirectoryPage(app: App): (http: Express) => void {
  return http => {
    http.post(PHONE_DIRECTORY_PATH, (request, response, next) => {
      exchangeOf(response).route = PHONE_DIRECTORY_PATH;
      answerQuestion(app, request).then(text => answerXml(response, text), next);
    });
    http.all(PHONE_DIRECTORY_PATH, (_request, response) => {
      response.setHeader('Allow', 'POST');
      throw new CalloutError('METHOD_NOT_ALLOWED', '不支持的请求方法');
    });
  };
}

async function answerQuestion(app: App, request: Request): Promise<string> {
  requireSwitch(app, request);
  const question = questionOf(await readFormBody(request, MAX_FORM_BYTES));
  const phone = question && (await findDirectoryPhone(app, question));
  return phone ? directoryDocument(phone) : NOT_FOUND_DOCUMENT;
}

function requireSwitch({ isInternalToken }: App, { headers }: Request): void {
  const token = basicPassword(headers.authorization);
  if (token === '' || !isInternalToken(token)) throw new CalloutError('UNAUTHENTICATED', '内部令牌缺失或无效');
}

/**
 * Parses a query for a single phone; null for any other query, such as networks, gateways or groups.
 *
 * Why:    channel variables of a call may repeat a name of the form; the switch adds its own `user` after them, and `action` before
 * Source: switch_xml.c `switch_xml_locate_user`, sofia_reg.c `sofia_reg_parse_auth`
 */
function questionOf(form: URLSearchParams): PhoneQuestion | null {
  const user = form.getAll('user').at(-1);
  const domain = form.get('key_value');
  if (form.get('section') !== 'directory' || form.get('key_name') !== 'name' || !user || !domain) return null;
  if (form.get('action') !== 'sip_auth') return { domain, extension: user, authUsername: null };
  const extension = form.get(form.get('sip_auth_method') === 'REGISTER' ? 'sip_to_user' : 'sip_from_user');
  return { domain, extension: extension ?? '', authUsername: user };
}

function answerXml(response: Response, text: string): void {
  response.setHeader('Content-Type', 'text/xml; charset=utf-8');
  response.end(text);
}
