import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scanSource, type ScannedSource } from './scan-source.ts';

/** A file of the project; its path starts at the top folder and uses `/`. */
export interface SourceFile extends ScannedSource {
  path: string;
  text: string;
}

export const PROJECT = join(import.meta.dirname, '../../..');

const FOLDERS = ['src', 'actors', 'migrations', 'test', 'bench', 'tools', 'examples'];

/** Folders of packages, of generated and of recorded files, which the rules do not cover. */
const SKIPPED = ['test/fixtures', 'console/node_modules', 'console/dist'];

/** Every TypeScript and Lua file of the given folders; by default of the product and of the folders that use it. */
export function readSourceTree(folders: readonly string[] = FOLDERS): SourceFile[] {
  return folders.flatMap(listFiles).map(path => sourceFile(path, readFileSync(join(PROJECT, path), 'utf8')));
}

export function sourceFile(path: string, text: string): SourceFile {
  const scanned = /\.tsx?$/.test(path) ? scanSource(text) : { code: '', withStrings: '', imports: [] };
  return { path, text, ...scanned };
}

/** An invented tree of files, as a map from path to text. */
export function sourceTree(files: Record<string, string>): SourceFile[] {
  return Object.entries(files).map(([path, text]) => sourceFile(path, text));
}

function listFiles(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    if (SKIPPED.includes(path)) return [];
    if (entry.isDirectory()) return listFiles(path);
    return /\.(tsx?|lua)$/.test(entry.name) ? [path] : [];
  });
}
