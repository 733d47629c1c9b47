import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteContract } from '#platform/http/route.ts';
import { PROJECT } from '#tools/commands/project.ts';

/** Every route that a file of `src/` exports, whether the server mounts it or not. */
export async function everyRoute(): Promise<RouteContract[]> {
  const files = globSync('src/**/*.ts', { cwd: PROJECT }).filter(file =>
    /= (?:route|callRoute)\(/.test(readFileSync(join(PROJECT, file), 'utf8')),
  );
  const modules = await Promise.all(files.map(file => import(join(PROJECT, file)) as Promise<Record<string, unknown>>));
  return modules.flatMap(module => Object.values(module).filter(isRoute));
}

function isRoute(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}
