type Kind = 'text' | 'integer' | 'flag';

/** Environment variables with the setting that each overrides. Source: D1.2 */
const VARIABLES: Readonly<Record<string, readonly [path: string, kind: Kind]>> = {
  CALLOUT_HOST: ['server.host', 'text'],
  CALLOUT_PORT: ['server.port', 'integer'],
  CALLOUT_DATABASE_URL: ['database.url', 'text'],
  CALLOUT_DATABASE_MIGRATION_URL: ['database.migrationUrl', 'text'],
  CALLOUT_REDIS_URL: ['cache.url', 'text'],
  CALLOUT_NATS_URL: ['bus.url', 'text'],
  CALLOUT_AUTH_ENABLED: ['auth.enabled', 'flag'],
  CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME: ['auth.bootstrapAdminUsername', 'text'],
  CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD: ['auth.bootstrapAdminPassword', 'text'],
  CALLOUT_INTERNAL_TOKEN: ['server.serviceApi.authToken', 'text'],
  CALLOUT_INTERNAL_OPEN: ['server.serviceApi.open', 'flag'],
  CALLOUT_AGENT_SECRET_KEY: ['agents.secretKey', 'text'],
  CALLOUT_TIMEZONE: ['server.timezone', 'text'],
  CALLOUT_REGION: ['server.region', 'text'],
  CALLOUT_NLU_URL: ['nlu.url', 'text'],
  CALLOUT_LOG_LEVEL: ['server.logLevel', 'text'],
  CALLOUT_INSTANCE_ID: ['server.instanceId', 'text'],
  CALLOUT_NLU_HOST: ['nlu.host', 'text'],
  CALLOUT_NLU_PORT: ['nlu.port', 'integer'],
  CALLOUT_NLU_TOKEN: ['nlu.token', 'text'],
};

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Override {
  variable: string;
  path: string;
  value: unknown;
}

/** Settings from the environment; an empty variable counts as unset. */
export function overridesOf(env: Environment): Override[] {
  return Object.entries(VARIABLES).flatMap(([variable, [path, kind]]) => {
    const text = env[variable];
    return text === undefined || text === '' ? [] : [{ variable, path, value: READ[kind](text) }];
  });
}

/** A text that is not an integer or a flag is returned unchanged, so that the fault shows the original. */
const READ: Record<Kind, (text: string) => unknown> = {
  text: text => text,
  integer: text => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  flag: text => FLAGS[text.toLowerCase()] ?? text,
};

const FLAGS: Record<string, boolean> = { true: true, false: false, 1: true, 0: false };

/** Variables of other roles and tools, which are not misspellings. */
const OTHER_VARIABLES = /^CALLOUT_(CONFIG|SWITCH_\w+|RUNTIME_\w+|TEST_\w+|NLU_TIMEOUT_MS)$/;

/** Unknown `CALLOUT_…` variables, probably misspelt. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env).filter(name => name.startsWith('CALLOUT_') && !Object.hasOwn(VARIABLES, name) && !OTHER_VARIABLES.test(name));
}
