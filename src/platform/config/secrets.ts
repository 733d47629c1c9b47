const MASK = '***';
const SECRET_KEYS = new Set([
  'apiKey',
  'authToken',
  'bootstrapAdminPassword',
  'credential',
  'password',
  'secretAccessKey',
  'secretKey',
  'token',
]);

/** A copy with all secrets masked, for `config print` and logs (D1.1). */
export function maskSecrets(value: unknown, key = ''): unknown {
  if (SECRET_KEYS.has(key)) return value === null || value === '' ? value : MASK;
  if (typeof value === 'string') return maskUrl(value);
  if (Array.isArray(value)) return value.map(item => maskSecrets(item));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskSecrets(member, name)]));
}

const SECRET_PARAMETER = /pass|secret|token|key/i;

/** Masks passwords and secret-looking parameters in a URL or a list of URLs; any other text is returned unchanged. */
export function maskUrl(text: string): string {
  if (text.includes(',') && text.includes('://')) return text.split(',').map(maskUrl).join(',');
  if (!text.includes('://') || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.password !== '') url.password = MASK;
  // A NATS token is in the place of the user name.
  else if (url.username !== '' && (url.protocol === 'nats:' || url.protocol === 'tls:')) url.username = MASK;
  for (const name of url.searchParams.keys()) if (SECRET_PARAMETER.test(name)) url.searchParams.set(name, MASK);
  return url.href;
}

export function isSecretPath(path: readonly PropertyKey[]): boolean {
  return SECRET_KEYS.has(String(path.at(-1) ?? ''));
}
