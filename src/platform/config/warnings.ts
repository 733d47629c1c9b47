import { type Environment, unknownVariables } from './environment.ts';
import type { Config } from './shape.ts';

export interface StartWarning {
  level: 'warn' | 'error';
  message: string;
}

/** Warnings of the start log about a valid but risky configuration (D1.4). */
export function startWarnings(config: Config, env: Environment): StartWarning[] {
  const warnings: StartWarning[] = [];
  const add = (level: StartWarning['level'], message: string) => warnings.push({ level, message });
  if (internalAccessOf(config) === 'open') {
    const exposed = !isLoopback(config.server.host);
    add(
      exposed ? 'error' : 'warn',
      `server.serviceApi.authToken is empty or CALLOUT_INTERNAL_OPEN is set: internal endpoints let every request through${exposed ? `, and ${config.server.host} is reachable from other machines` : ''}`,
    );
  }
  if (!config.auth.enabled) add('warn', 'auth.enabled is false: everybody is an administrator');
  if (!config.cells.some(cell => cell.isEnabled)) add('warn', 'cells has no enabled entry: nothing can be dialled');
  for (const name of unknownVariables(env)) add('warn', `${name} is not a variable of this program`);
  return warnings;
}

/** Access to the internal endpoints: `written` and `made` require the configured or the generated token, `open` requires none. Source: D1.4 */
export function internalAccessOf({ server }: Pick<Config, 'server'>): 'written' | 'made' | 'open' {
  const { authToken, open } = server.serviceApi;
  if (authToken !== null && authToken !== '') return 'written';
  if (authToken === '' || open) return 'open';
  return isLoopback(server.host) ? 'open' : 'made';
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
