import { readFile } from 'node:fs/promises';
import { systemIds } from '#kernel/ids.ts';
import { asksForHelp, type Command, refuseConfig } from '../process.ts';
import { type ConfigResult, readConfig } from './read-config.ts';
import { maskSecrets } from './secrets.ts';

const EX_USAGE = 64;
const HELP = `Usage: npm run config -- print

The configuration in force as JSON, secrets masked: defaults, then the file named by CALLOUT_CONFIG, then the environment.
Exit codes: 0 valid, 64 arguments, 78 wrong configuration with one line per fault
`;

/** `config print`: the effective configuration as JSON, without secrets (D1.1). */
export const configCommand: Command = async args => {
  if (asksForHelp(args)) {
    process.stdout.write(HELP);
    return 0;
  }
  if (args.length !== 1 || args[0] !== 'print') {
    process.stderr.write(HELP);
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
