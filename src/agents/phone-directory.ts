import type { Express, Request, Response } from 'express';
import { CalloutError } from '#kernel/errors.ts';
import { findDirectoryPhone, type PhoneDirectoryDeps, type PhoneQuestion } from './agents-phone-directory.ts';
import { type AccessGate, basicPassword } from '#platform/http/authorize.ts';
import { directoryDocument, NOT_FOUND_DOCUMENT } from './present-phone-directory.ts';
import { readFormBody } from '#platform/http/bodies.ts';
import { exchangeOf } from '#platform/http/trace.ts';

export type PhoneDirectoryPageDeps = PhoneDirectoryDeps & { gate: Pick<AccessGate, 'isInternalToken'> };

export const PHONE_DIRECTORY_PATH = '/internal/freeswitch/directory';
/** Some forms include a phone's whole REGISTER with its headers. */
const MAX_FORM_BYTES = 64 * 1024;

/**
 * Serves FreeSWITCH's directory (mod_xml_curl): the agents' phones with the hashes of their passwords.
 *
 * Why:    not a row of the interface, because a switch queries with a form and HTTP Basic, and reads XML without an envelope
 * Errors: 401 without the internal token as the password; a query without a result gets FreeSWITCH's document "not found"
 */
export function phoneDirectoryPage(deps: PhoneDirectoryPageDeps): (app: Express) => void {
  return app => {
    app.post(PHONE_DIRECTORY_PATH, (request, response, next) => {
      exchangeOf(response).route = PHONE_DIRECTORY_PATH;
      answerQuestion(deps, request).then(text => answerXml(response, text), next);
    });
    app.all(PHONE_DIRECTORY_PATH, (_request, response) => {
      response.setHeader('Allow', 'POST');
      throw new CalloutError('METHOD_NOT_ALLOWED', '不支持的请求方法');
    });
  };
}

async function answerQuestion(deps: PhoneDirectoryPageDeps, request: Request): Promise<string> {
  requireSwitch(deps, request);
  const question = questionOf(await readFormBody(request, MAX_FORM_BYTES));
  const phone = question && (await findDirectoryPhone(deps, question));
  return phone ? directoryDocument(phone) : NOT_FOUND_DOCUMENT;
}

function requireSwitch({ gate }: PhoneDirectoryPageDeps, { headers }: Request): void {
  const token = basicPassword(headers.authorization);
  if (token === '' || !gate.isInternalToken(token)) throw new CalloutError('UNAUTHENTICATED', '内部令牌缺失或无效');
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
