import { readFile } from 'node:fs/promises';
import { systemIds } from '#kernel/ids.ts';
import type { Command } from './command.ts';
import { type ConfigResult, EX_CONFIG, readConfig } from './config/read-config.ts';
import { maskSecrets } from './config/secrets.ts';

const EX_USAGE = 64;

/** `config print`: what is in force, as JSON, without secrets (D1.1). */
export const configCommand: Command = async args => {
  if (args.length !== 1 || args[0] !== 'print') {
    process.stderr.write('Usage: npm run config print\n');
    return EX_USAGE;
  }
  const result = await readProcessConfig();
  if (!result.ok) return refuseConfig(result.faults);
  process.stdout.write(`${JSON.stringify(maskSecrets(result.config), null, 2)}\n`);
  return 0;
};

/** The configuration of this process. */
export function readProcessConfig(): Promise<ConfigResult> {
  return readConfig({ env: process.env, readFile: path => readFile(path, 'utf8'), ids: systemIds });
}

/** Tells each fault in a line of its own; the exit code. */
export function refuseConfig(faults: readonly string[]): number {
  process.stderr.write(`${faults.map(fault => `callout: ${fault}`).join('\n')}\n`);
  return EX_CONFIG;
}
