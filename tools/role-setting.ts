import { EX_CONFIG } from '#platform/process.ts';

const EX_USAGE = 64;

/** A setting of a role without a configuration file. */
export interface RoleSetting {
  text: string;
  /** Origin of the value: `--port` or `CALLOUT_SWITCH_PORT`. */
  place: string;
}

export interface SettingSource {
  flag: string;
  /** Value of the flag; undefined when not given. */
  value: string | undefined;
  variable: string;
  env: NodeJS.ProcessEnv;
  fallback: string;
}

/** A wrong flag is a usage error, a wrong variable a configuration error (D1.1); their exit codes differ. */
export class WrongSettingError extends Error {
  readonly exitCode: number;

  constructor({ text, place }: RoleSetting, allowed: string) {
    super(`${place} must be ${allowed}, found "${text}"`);
    this.exitCode = place.startsWith('--') ? EX_USAGE : EX_CONFIG;
  }
}

/** A flag overrides its variable, a variable the default; an empty variable counts as unset. */
export function settingOf({ flag, value, variable, env, fallback }: SettingSource): RoleSetting {
  if (value !== undefined) return { text: value, place: `--${flag}` };
  const text = env[variable];
  return text === undefined || text === '' ? { text: fallback, place: `--${flag}` } : { text, place: variable };
}

/** Errors: WrongSettingError */
export function integerOf(setting: RoleSetting, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(setting.text) ? Number(setting.text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new WrongSettingError(setting, `an integer from ${min} to ${max}`);
  return value;
}

/** Errors: WrongSettingError */
export function numberOf(setting: RoleSetting, min: number, max: number): number {
  const value = /^\d{0,6}\.?\d{1,6}$/.test(setting.text) ? Number(setting.text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new WrongSettingError(setting, `a number from ${min} to ${max}`);
  return value;
}

/** Errors: WrongSettingError */
export function choiceOf(setting: RoleSetting, choices: readonly string[]): string {
  if (!choices.includes(setting.text)) throw new WrongSettingError(setting, `one of ${choices.join(', ')}`);
  return setting.text;
}
