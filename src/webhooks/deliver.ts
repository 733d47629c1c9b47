import { isCalloutError } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { SealPart } from '#access/seal.ts';
import type { SendMail } from '#platform/outside/mail.ts';
import { OutsideError } from '#platform/outside/outside-error.ts';
import type { OutsideHttp } from '#platform/outside/outside-http.ts';
import type { Platform } from '#platform/platform.ts';
import { WEBHOOK_EVENTS } from './decisions/event-catalogue.ts';
import { messageOf, type PeopleMessage } from './decisions/people-message.ts';
import { isRobot, type RobotKind, ROBOTS } from './decisions/robots.ts';
import { signedHeaders } from './decisions/signature.ts';
import type { DueMessage } from './delivery-store.ts';
import type { Endpoint } from './endpoint-store.ts';

/** A receiver has so long for everything, ms. Source: D15.3 */
export const RECEIVER_TIMEOUT_MS = 10_000;
/** Bytes of an answer that are read and kept. */
const MAX_ANSWER_BYTES = 1_024;

export interface WebhooksPart {
  outside: Pick<OutsideHttp, 'post'>;
  sendMail: SendMail;
  /** Seals the secrets of endpoints. */
  webhookSeal: SealPart['seal'];
}

export type DeliverApp = WebhooksPart & { timeZone: string } & Pick<Platform, 'clock' | 'log'>;

/** A message with what it says. */
export interface MessageWithData extends DueMessage {
  data: JsonObject;
}

export interface Sent {
  isDelivered: boolean;
  statusCode: number | null;
  error: string | null;
  answer: string | null;
  tookMs: number;
}

/** Whether an endpoint is read by people: what is due is one message to them. */
export function isForPeople({ kind }: Pick<Endpoint, 'kind'>): boolean {
  return kind !== 'webhook';
}

/** Sends one message to a program; never rejects. */
export function sendToProgram(app: DeliverApp, endpoint: Endpoint, message: MessageWithData): Promise<Sent> {
  return measured(app, async () => {
    const secrets = [endpoint.secret, endpoint.previousSecret].flatMap(sealed => (sealed === null ? [] : [app.webhookSeal.open(sealed)]));
    const body = JSON.stringify(envelopeOf(message));
    const headers = signedHeaders({ messageId: message.messageId, at: app.clock.now(), body }, secrets);
    const { status, text } = await post(app, endpoint.url, body, headers);
    const isDelivered = status >= 200 && status < 300;
    return { isDelivered, statusCode: status, answer: text, error: isDelivered ? null : `HTTP ${status}` };
  });
}

function envelopeOf({ type, key, sequence, createdAt, data }: MessageWithData): JsonObject {
  const { version } = WEBHOOK_EVENTS[type];
  return { type, version, timestamp: new Date(createdAt).toISOString(), sequence, key, data };
}

/** Sends what is due to people as one message; never rejects. */
export function sendToPeople(app: DeliverApp, endpoint: Endpoint, messages: readonly MessageWithData[]): Promise<Sent> {
  const events = messages.map(({ type, createdAt, data }) => ({ type, at: createdAt, data }));
  const message = messageOf(events, app.timeZone);
  const { kind } = endpoint;
  return measured(app, () => (isRobot(kind) ? sendToRobot(app, endpoint, kind, message) : sendMail(app, endpoint, message)));
}

type Result = Omit<Sent, 'tookMs'>;

async function sendToRobot(app: DeliverApp, endpoint: Endpoint, kind: RobotKind, message: PeopleMessage): Promise<Result> {
  const address = { url: endpoint.url, secret: secretOf(app, endpoint) };
  const { url, body } = ROBOTS[kind].requestOf(address, message, app.clock.now());
  const { status, text } = await post(app, url, JSON.stringify(body), {});
  const refusal = status === 200 ? ROBOTS[kind].refusalIn(text) : `HTTP ${status}`;
  return { isDelivered: refusal === null, statusCode: status, answer: text, error: refusal };
}

async function sendMail(app: DeliverApp, endpoint: Endpoint, { title, text, link }: PeopleMessage): Promise<Result> {
  const { url, username, sender, recipients } = endpoint;
  const server = { url, username, password: secretOf(app, endpoint) };
  const mail = { from: sender, to: recipients, subject: title, text: link === null ? text : `${text}\n\n${link}` };
  const { answer } = await app.sendMail(server, mail, RECEIVER_TIMEOUT_MS);
  return { isDelivered: true, statusCode: null, answer: answer.slice(0, MAX_ANSWER_BYTES), error: null };
}

function secretOf(app: DeliverApp, { secret }: Endpoint): string {
  return secret === '' ? '' : app.webhookSeal.open(secret);
}

function post(app: DeliverApp, url: string, body: string, headers: Record<string, string>) {
  return app.outside.post({ url, body, headers, timeoutMs: RECEIVER_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES, longer: 'cut' });
}

/** Turns a thrown error into a failed outcome; an unreadable secret is one too, because only a person can repair it. */
async function measured({ clock, log }: DeliverApp, send: () => Promise<Result>): Promise<Sent> {
  const begun = clock.monotonic();
  const took = () => Math.round(clock.monotonic() - begun);
  try {
    return { ...(await send()), tookMs: took() };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'internal_error') log.error({ err: error }, 'a message to an endpoint could not be made');
    return { isDelivered: false, statusCode: null, answer: null, error: reason, tookMs: took() };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof OutsideError) return error.fault;
  return isCalloutError(error, 'CONFLICT') ? 'secret_unreadable' : 'internal_error';
}
