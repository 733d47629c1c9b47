import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { CONSOLE_FOLDER as DIST } from '#serve/console-part.ts';
import { CONSOLE_FOLDER, isMade, writeConsoleTypes } from './console-types.ts';
import { PROJECT } from './project.ts';
import { runTool, wasKilled } from './run-tool.ts';

const FOLDER = join(PROJECT, CONSOLE_FOLDER);
/** File with the hash of the sources from which the packages or the console were built. */
const STAMP = '.callout-sources';

type Print = (line: string) => void;

/**
 * Builds the console unless the build of its current sources exists; installs its packages first when they are missing or stale.
 *
 * Shape: exit code of the failed step; 0 when the build is up to date
 */
export async function buildConsole(print: Print): Promise<number> {
  const sources = await hashOf(['schema/*.graphql', `${CONSOLE_FOLDER}/**/*`]);
  if (await isStamped(DIST, sources)) return 0;
  const packages = await ensureConsolePackages(print);
  if (packages !== 0) return packages;
  print('callout: building the console …');
  await writeConsoleTypes();
  // Concurrent builds use folders of their own; the later one finds the result of the earlier.
  const fresh = `${DIST}.new-${process.pid}`;
  const built = await runTool({
    command: process.execPath,
    args: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir'],
    cwd: FOLDER,
    // With Jest's NODE_ENV=test Vite would make a development build, several times as large, and the stamp would keep it.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (built !== 0) return built;
  await compressFiles(fresh);
  await writeFile(join(fresh, STAMP), sources);
  if (await isStamped(DIST, sources)) {
    await rm(fresh, { recursive: true });
    return 0;
  }
  await rm(DIST, { recursive: true, force: true });
  await rename(fresh, DIST);
  return 0;
}

/** Runs `npm ci` in the console's folder when its lock file differs from the installed packages. */
export async function ensureConsolePackages(print: Print): Promise<number> {
  const lock = await hashOf([`${CONSOLE_FOLDER}/package-lock.json`]);
  const modules = join(FOLDER, 'node_modules');
  if (await isStamped(modules, lock)) return 0;
  print('callout: installing the locked packages of the console (npm ci) …');
  const installed = await runTool({ command: 'npm', args: ['ci', '--loglevel=error'], cwd: FOLDER });
  if (installed === 0) await writeFile(join(modules, STAMP), lock);
  return installed;
}

async function isStamped(folder: string, hash: string): Promise<boolean> {
  const stamp = join(folder, STAMP);
  return existsSync(stamp) && (await readFile(stamp, 'utf8')) === hash;
}

/** Hash of names and contents of the files, except generated ones. */
async function hashOf(patterns: readonly string[]): Promise<string> {
  const paths = await Array.fromAsync(glob(patterns, { cwd: PROJECT, withFileTypes: true, exclude: entry => isMade(entry.name) }));
  const files = paths
    .filter(entry => entry.isFile() && !entry.name.includes('.generated.'))
    .map(entry => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(`${file.slice(PROJECT.length)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
/** Files worth compressing. */
const TEXTS = '**/*.{js,css,svg,html}';

/** Compresses each text file once with Brotli and once with gzip, so that no request has to. */
async function compressFiles(folder: string): Promise<void> {
  for (const path of await Array.fromAsync(glob(TEXTS, { cwd: folder }))) {
    const file = join(folder, path);
    const text = await readFile(file);
    await writeFile(`${file}.br`, await toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }));
    await writeFile(`${file}.gz`, await toGzip(text));
  }
}

/** `npm run console`. */
export async function consoleCommand(): Promise<number> {
  const code = await buildConsole(line => void process.stderr.write(`${line}\n`));
  return wasKilled(code) ? code : Math.min(code, 1);
}
