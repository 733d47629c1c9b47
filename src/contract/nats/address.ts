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

/** Under this the users of runtimes hear answers; who serves them answers there. */
export const RUNTIME_INBOXES = '_INBOX_RUNTIME';

/** As `natsAddress`, with the branch where a runtime of this user hears its answers. Without a user of its own it is the client's. */
export function runtimeAddress(text: string): NatsAddress & { inboxPrefix?: string } {
  const address = natsAddress(text);
  return address.user === undefined ? address : { ...address, inboxPrefix: runtimeInboxPrefix(address.user) };
}

/**
 * Where a runtime's user hears the answers to what it asks.
 *
 * Why: whoever may hear `_INBOX.>` hears what everybody is answered, scripts and commands among it
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
