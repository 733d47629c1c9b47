import { BROWSER } from '../services/browser.ts';
import { installPrograms, systemInstallation } from '../services/install.ts';
import { print } from './run-tool.ts';

/** Programs that the tests of a tier run, beside PostgreSQL, Redis and NATS. Each has the name of its package. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  // For the example of a call-flow runtime in Python.
  integration: ['python3'],
  smoke: [BROWSER],
  switch: [BROWSER],
  browser: [BROWSER],
  e2e: [BROWSER],
};

/**
 * Installs the programs of these tiers, in one process and before their first test: tests never install anything.
 *
 * Errors: StartFailure (exit code 69) when this user or system cannot install them
 */
export function installTierPrograms(tiers: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const names = new Set(tiers.flatMap(tier => PROGRAMS[tier] ?? []));
  return installPrograms([...names], systemInstallation(env, print));
}

/** Tiers that the arguments of Jest name, as a project or in a path pattern; all tiers when they name none. */
export function tiersNamed(args: readonly string[]): readonly string[] {
  const tiers = Object.keys(PROGRAMS);
  const named = tiers.filter(tier => args.some(arg => new RegExp(`\\b${tier}\\b`).test(arg)));
  const namesAnother = args.some(arg => /\b(?:architecture|unit|contract|simulation|nlu|seeds|endurance|chaos)\b/.test(arg));
  return named.length > 0 || namesAnother ? named : tiers;
}
