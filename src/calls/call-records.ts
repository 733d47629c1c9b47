import type { Express, Request } from 'express';
import { CalloutError } from '#kernel/errors.ts';
import { settleByRecord, type SettleByRecordDeps } from './settle-by-record.ts';
import { answerData } from '#platform/http/handler.ts';
import { type AccessGate, basicPassword, INTERNAL_HEADER } from '#platform/http/authorize.ts';
import { parseCallRecord } from './call-record.ts';
import { readRawBody } from '#platform/http/bodies.ts';
import { exchangeOf } from '#platform/http/trace.ts';

export type CallRecordDeps = SettleByRecordDeps & { gate: Pick<AccessGate, 'isInternalToken'> };

export const CALL_RECORD_PATH = '/internal/freeswitch/cdr';
/** A record with all variables of a long call takes about 40 KiB, and three times that as a form. */
const MAX_RECORD_BYTES = 512 * 1024;

/**
 * Receives FreeSWITCH's call detail records (mod_json_cdr). It answers 200 once the call is settled or known not to be ours; after any
 * other answer the switch keeps the record on its disk.
 *
 * Why:    not a row of the interface, because a switch sends forms, and HTTP Basic where other clients send a header
 * Errors: 401 without the internal token, as the header or as the password of HTTP Basic
 * Source: D7.8
 */
export function callRecordPage(deps: CallRecordDeps): (app: Express) => void {
  return app => {
    app.post(CALL_RECORD_PATH, (request, response, next) => {
      exchangeOf(response).route = CALL_RECORD_PATH;
      take(deps, request).then(outcome => answerData(response, { outcome }), next);
    });
    app.all(CALL_RECORD_PATH, (_request, response) => {
      response.setHeader('Allow', 'POST');
      throw new CalloutError('METHOD_NOT_ALLOWED', '不支持的请求方法');
    });
  };
}

async function take(deps: CallRecordDeps, request: Request): Promise<string> {
  requireSwitch(deps, request);
  const record = parseCallRecord(request.headers['content-type'] ?? '', await readRawBody(request, MAX_RECORD_BYTES));
  return record === null ? 'unknown' : settleByRecord(deps, record);
}

function requireSwitch({ gate }: CallRecordDeps, { headers }: Request): void {
  const sent = headers[INTERNAL_HEADER];
  if (gate.isInternalToken(typeof sent === 'string' ? sent : basicPassword(headers.authorization))) return;
  throw new CalloutError('UNAUTHENTICATED', '内部令牌缺失或无效');
}
