import { EX_CONFIG } from './command.ts';

const EX_USAGE = 64;

/** A setting of a role that has no configuration file. */
export interface RoleSetting {
  text: string;
  /** Who said so: `--port` or `CALLOUT_SWITCH_PORT`. */
  place: string;
}

export interface SettingSource {
  flag: string;
  /** What the flag says; undefined: it was not given. */
  value: string | undefined;
  variable: string;
  env: NodeJS.ProcessEnv;
  fallback: string;
}

/** A wrong flag is a wrong use, a wrong variable a wrong configuration (D1.1): the exit codes differ. */
export class WrongSettingError extends Error {
  readonly exitCode: number;

  constructor({ text, place }: RoleSetting, allowed: string) {
    super(`${place} must be ${allowed}, found "${text}"`);
    this.exitCode = place.startsWith('--') ? EX_USAGE : EX_CONFIG;
  }
}

/** A flag wins over its variable, a variable over the default; an empty variable counts as absent. */
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
