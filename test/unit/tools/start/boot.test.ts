import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const BOOT = join(import.meta.dirname, '../../../../src/boot.sh');
const LOCKED = {
  '': {},
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/of-another-platform': { version: '1.0.0', integrity: 'sha512-o', optional: true },
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boot-'));
  await write('package-lock.json', JSON.stringify({ packages: LOCKED }));
  await mkdir(join(folder, 'src'));
  await copyFile(BOOT, join(folder, 'src/boot.sh'));
  await script('node_modules/.bin/node', 'echo started');
  await script('bin/npm', 'echo npm "$@"');
});
afterEach(() => rm(folder, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

async function script(file: string, line: string): Promise<void> {
  await write(file, `#!/bin/sh\n${line}\n`);
  await chmod(join(folder, file), 0o755);
}

/** Output before and from the locked Node. */
async function boot(): Promise<string[]> {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
  const { stdout, stderr } = await promisify(execFile)('sh', [join(folder, 'src/boot.sh'), 'config'], { env });
  return `${stderr}${stdout}`.trim().split('\n');
}

const install = [expect.stringContaining('installing the locked packages'), 'npm ci --loglevel=error'];

test('missing packages are installed once', async () => {
  expect(await boot()).toEqual([...install, 'started']);
  expect(await boot()).toEqual(['started']);
});

test('packages installed by hand are not installed again', async () => {
  const { 'node_modules/a': a } = LOCKED;
  await write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': a } }));
  expect(await boot()).toEqual(['started']);
});

test('packages of another lock file are installed afresh', async () => {
  await write(
    'node_modules/.package-lock.json',
    JSON.stringify({ packages: { 'node_modules/a': { version: '0.9.0', integrity: 'sha512-z' } } }),
  );
  expect(await boot()).toEqual([...install, 'started']);
});

/** A locked Node that behaves as if a linked library were missing. */
async function needsLibrary(): Promise<void> {
  await script(
    'node_modules/.bin/node',
    '[ -e library ] || { echo "error while loading shared libraries: libatomic.so.1" >&2; exit 127; }\necho started',
  );
  await script('bin/id', 'echo 0');
  await script('bin/sleep', 'rm -f locked');
}

test('a library that the locked Node lacks is installed once', async () => {
  await needsLibrary();
  await script('bin/apt-get', 'echo "$@" >> calls; case "$*" in *libatomic1) touch library ;; esac');
  expect(await boot()).toEqual([...install, 'callout: installing libatomic1 (apt-get) …', 'started']);
  expect(await boot()).toEqual(['started']);
  expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('-qq update\n-qq -y --no-install-recommends install libatomic1\n');
});

test('a library that the dynamic linker does not list is installed while npm works', async () => {
  await needsLibrary();
  await script('bin/ldconfig', 'echo "libc.so.6 => /lib/libc.so.6"');
  await script('bin/apt-get', 'case "$*" in *libatomic1) touch library ;; esac');
  await script('bin/npm', 'until [ -e library ]; do :; done; echo npm "$@"');
  expect(await boot()).toEqual([install[0], 'callout: installing libatomic1 (apt-get) …', install[1], 'started']);
});

test('the installation of a library waits for the lock of apt', async () => {
  await needsLibrary();
  await write('locked', '');
  await script(
    'bin/apt-get',
    '[ -e locked ] && { echo "E: Could not get lock /var/lib/dpkg/lock-frontend" >&2; exit 100; }; case "$*" in *libatomic1) touch library ;; esac',
  );
  expect(await boot()).toEqual([...install, 'callout: installing libatomic1 (apt-get) …', 'started']);
});

test('without root, the missing library is named with the command that installs it', async () => {
  await needsLibrary();
  await script('bin/id', 'echo 1000');
  await expect(boot()).rejects.toMatchObject({ code: 69, stderr: expect.stringMatching(/libatomic\.so\.1[^]*apt-get install libatomic1/) });
});
