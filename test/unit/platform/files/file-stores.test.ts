import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FileStore, storeFile } from '#platform/files/file-store.ts';
import { folderStore } from '#platform/files/folder-store.ts';
import { s3Store } from '#platform/files/s3-store.ts';
import { type ObjectStore, startObjectStore } from '#test/support/object-store.ts';

let folder: string;
let objects: ObjectStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-files-test-'));
  objects = await startObjectStore();
});
afterAll(async () => {
  await objects.close();
  await rm(folder, { recursive: true });
});

const s3With = (over: { secretAccessKey?: string } = {}) =>
  s3Store({ ...objects, region: 'us-east-1', isPathStyle: true, timeoutMs: 5_000, ...over });

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function readAll(files: FileStore, key: string, from = 0): Promise<Buffer> {
  const stored = await files.open(key);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored.read(from)) chunks.push(chunk);
  await stored.close();
  return Buffer.concat(chunks);
}

describe.each([
  ['a folder', () => folderStore(folder)],
  ['an S3-compatible store', () => s3With()],
])('%s', (_name, storeOf) => {
  const bytes = Buffer.alloc(6 * 1024 * 1024, 'abcdefghij');

  test('keeps a stream in parts, and gives it back whole or from a byte on', async () => {
    const files = storeOf();
    expect(await storeFile(files, 'imports/one.csv', inChunks(bytes, 300_001))).toBe(bytes.length);
    expect((await readAll(files, 'imports/one.csv')).equals(bytes)).toBe(true);
    expect((await files.open('imports/one.csv')).totalBytes).toBe(bytes.length);
    expect((await readAll(files, 'imports/one.csv', bytes.length - 4)).toString()).toBe(bytes.subarray(-4).toString());
  });

  test('keeps an empty file', async () => {
    const files = storeOf();
    await storeFile(files, 'imports/empty.csv', inChunks(Buffer.alloc(0), 1));
    expect((await files.open('imports/empty.csv')).totalBytes).toBe(0);
    expect(await readAll(files, 'imports/empty.csv')).toHaveLength(0);
  });

  test('a part that is kept again replaces the first, and completing again is harmless', async () => {
    const files = storeOf();
    const upload = await files.begin('exports/two.csv');
    await files.putPart(upload, 1, Buffer.from('lost'));
    const tags = [await files.putPart(upload, 1, bytes), await files.putPart(upload, 2, Buffer.from('end'))];
    await files.complete(upload, tags);
    await files.complete(upload, tags);
    expect((await readAll(files, 'exports/two.csv')).equals(Buffer.concat([bytes, Buffer.from('end')]))).toBe(true);
  });

  test('a file that is given up, or removed, is not there any more', async () => {
    const files = storeOf();
    const upload = await files.begin('exports/three.csv');
    await files.putPart(upload, 1, Buffer.from('half'));
    await files.abort(upload);
    await files.abort(upload);
    await storeFile(files, 'exports/four.csv', inChunks(Buffer.from('four'), 2));
    await files.remove('exports/four.csv');
    await files.remove('exports/four.csv');
    for (const key of ['exports/three.csv', 'exports/four.csv']) await expect(files.open(key)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a source that fails leaves nothing', async () => {
    const files = storeOf();
    // oxlint-disable-next-line require-yield
    const failing = (async function* (): AsyncGenerator<Uint8Array> {
      throw new Error('the upload was cut off');
    })();
    await expect(storeFile(files, 'imports/five.csv', failing)).rejects.toThrow('cut off');
    await expect(files.open('imports/five.csv')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each(['../etc/passwd', '/etc/passwd', 'exports//x', 'exports/../x', ''])('refuses the key %p', async key => {
    await expect(async () => storeOf().open(key)).rejects.toThrow('not a key');
  });
});

test('nothing stays of files in parts that were completed or given up', async () => {
  const left = await readdir(folder, { recursive: true });
  expect(left.filter(name => name.includes('.parts'))).toEqual([]);
  expect(objects.uploads.size).toBe(0);
});

describe('requests to an S3-compatible store', () => {
  test('carry a signature that the store accepts', () => {
    expect(objects.refused).toEqual([]);
  });

  test('are refused with another secret, and the operation fails', async () => {
    await expect(s3With({ secretAccessKey: 'another' }).begin('exports/six.csv')).rejects.toMatchObject({ code: 'DOWNSTREAM_INVALID' });
    expect(objects.refused).toEqual(['another signature']);
  });

  test('are sent again when the store is busy', async () => {
    objects.failNext(503);
    const files = s3With();
    const upload = await files.begin('exports/seven.csv');
    objects.failNext(500);
    await files.complete(upload, [await files.putPart(upload, 1, Buffer.from('seven'))]);
    expect((await readAll(files, 'exports/seven.csv')).toString()).toBe('seven');
  });
});
