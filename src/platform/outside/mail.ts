import { type OutsideRules, resolveAllowed } from './guarded-lookup.ts';
import { OutsideError } from './outside-error.ts';

/** A mail server as somebody has typed it. */
export interface MailServer {
  /** `smtp://host:587` (TLS when the server offers it) or `smtps://host:465`. */
  url: string;
  /** Empty: no sign-in. */
  username: string;
  password: string;
}

export interface Mail {
  from: string;
  to: readonly string[];
  subject: string;
  text: string;
}

export interface MailOutcome {
  /** The server's last line. */
  answer: string;
}

/** Errors: OutsideError */
export type SendMail = (server: MailServer, mail: Mail, timeoutMs: number) => Promise<MailOutcome>;

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

export function isMailServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return Object.hasOwn(PORTS, protocol) && hostname !== '' && username === '' && password === '';
}

/** Sends mail over a connection of its own: to people few are sent. The connection goes to the address that was checked. */
export function mailSender(rules: OutsideRules): SendMail {
  return async (server, mail, timeoutMs) => {
    if (!isMailServer(server.url)) throw new OutsideError('address_invalid');
    const { protocol, hostname, port } = new URL(server.url);
    const [found] = await resolveAllowed(hostname, rules);
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      host: found?.address ?? hostname,
      port: port === '' ? (PORTS[protocol] ?? 0) : Number(port),
      secure: protocol === 'smtps:',
      tls: { servername: hostname },
      ...timeouts(timeoutMs),
      ...(server.username === '' ? {} : { auth: { user: server.username, pass: server.password } }),
    });
    try {
      const { response } = await transport.sendMail({ ...mail, to: [...mail.to] });
      return { answer: response };
    } catch (error) {
      throw mailFault(error);
    } finally {
      transport.close();
    }
  };
}

function timeouts(ms: number) {
  return { connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms };
}

function mailFault(error: unknown): OutsideError {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ETIMEDOUT') return new OutsideError('timeout', { cause: error });
  if (code === 'EENVELOPE' || code === 'EMESSAGE' || code === 'EAUTH') return new OutsideError('answer_invalid', { cause: error });
  return new OutsideError('unreachable', { cause: error });
}
