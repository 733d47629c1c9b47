import { z } from 'zod';

/** Source: OCS 2.1 */
export interface Envelope<Data> {
  code: string;
  data: Data;
  msg: string;
}

export const SUCCESS_CODE = '0000';

/** Source: D2.1, D2.3 */
export function success<Data>(data: Data): Envelope<Data> {
  return { code: SUCCESS_CODE, data, msg: 'ok' };
}

/** A failure beside OCS 2.1's three: `msgKey` names its cause for programs and translators, where `msg` is for people who read Chinese. */
export interface Failure extends Envelope<null> {
  msgKey: string;
}

/** Units: `status` HTTP status */
export function failure(status: number, msg: string, msgKey: string): Failure {
  return { code: String(status), data: null, msg, msgKey };
}

export function envelopeOf<Data extends z.ZodType>(data: Data) {
  return z.object({ code: z.literal(SUCCESS_CODE), data, msg: z.string() });
}

const msgKey = z.string().meta({ description: '失败原因的代号，供程序判断与翻译，例如 CAMPAIGN_RUNNING' });

/** As `envelopeOf`, of an answer that fails and still has data. */
export function failedEnvelopeOf<Data extends z.ZodType>(status: number, data: Data) {
  return z.object({ code: z.literal(String(status)), data, msg: z.string(), msgKey });
}

/** `error` stands beside the three where OCS 4.8 rule 1 names it (D7.5). */
export const failureEnvelope = z.object({
  code: z.string(),
  data: z.null(),
  msg: z.string(),
  msgKey,
  error: z.string().optional(),
});
