/** Servers and credentials of NATS, as options of its client. */
export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  tls?: Record<string, never>;
}

/**
 * Parses one or more URLs, separated by commas. Credentials are taken from the first; a user name without a password is a token.
 *
 * Why: the client ignores credentials in an address. `tls:` enforces encryption: the connection fails rather than continue in plain text
 */
export function natsAddress(text: string): NatsAddress {
  const urls = text.split(',').map(part => new URL(part.includes('://') ? part.trim() : `nats://${part.trim()}`));
  const tls = urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {};
  return { servers: urls.map(({ host }) => host), ...credentialsOf(urls[0]), ...tls };
}

/** Prefix of the reply subjects of runtimes' NATS users; responders publish their replies there. */
export const RUNTIME_INBOXES = '_INBOX_RUNTIME';

/** Like `natsAddress`, with the inbox prefix of a runtime's NATS user; without such a user the client's default applies. */
export function runtimeAddress(text: string): NatsAddress & { inboxPrefix?: string } {
  const address = natsAddress(text);
  return address.user === undefined ? address : { ...address, inboxPrefix: runtimeInboxPrefix(address.user) };
}

/**
 * Inbox prefix of a runtime's NATS user.
 *
 * Why: a user that may subscribe to `_INBOX.>` receives the replies to every client, scripts and commands among them
 */
export function runtimeInboxPrefix(user: string): string {
  return `${RUNTIME_INBOXES}.${user}`;
}

function credentialsOf(url: URL | undefined): Pick<NatsAddress, 'user' | 'pass' | 'token'> {
  const name = decodeURIComponent(url?.username ?? '');
  const password = decodeURIComponent(url?.password ?? '');
  if (name === '') return {};
  return password === '' ? { token: name } : { user: name, pass: password };
}
