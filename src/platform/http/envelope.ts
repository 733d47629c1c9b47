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

/**
 * Failure envelope: extends OCS 2.1 by `msgKey`, which names the cause for programs and translations; `msg` is Chinese text for readers.
 */
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

/** Like `envelopeOf`, for a failure that carries data. */
export function failedEnvelopeOf<Data extends z.ZodType>(status: number, data: Data) {
  return z.object({ code: z.literal(String(status)), data, msg: z.string(), msgKey });
}

/** Includes `error` where OCS 4.8 rule 1 requires it (D7.5). */
export const failureEnvelope = z.object({
  code: z.string(),
  data: z.null(),
  msg: z.string(),
  msgKey,
  error: z.string().optional(),
});
