import type { JobProgress } from '#jobs/job-kind.ts';
import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import { type Download, openDownload } from '#platform/outside/outside-download.ts';
import { OUTSIDE_FAULTS, OutsideError } from '#platform/outside/outside-error.ts';
import { isOutsideUrl } from '#platform/outside/outside-http.ts';
import { type ImportLimits, storeTable } from './list-file.ts';
import type { SourceApp } from './source-file.ts';

/** Longest that one file may take, ms. */
const TOTAL_MS = 30 * 60_000;
/** Temporary statuses, worth a retry: 500 and above, and 429 (too many requests). */
const [SERVER_FAILED, TOO_MANY] = [500, 429] as const;

export interface PullSettings {
  /** Whether files may come from private networks and over plain HTTP. */
  allowPrivate: boolean;
  /** Buckets of the configured store from which files may come. */
  buckets: readonly string[];
  /** Signs the address of an object of the configured store; null without such a store. */
  signObject: ((bucket: string, object: string) => Promise<string>) | null;
}

interface Pull {
  url: string;
  /** Name in the file store. */
  key: string;
  signal: AbortSignal;
  report: (progress: JobProgress) => void;
}

export interface PullPart {
  /** Errors: INVALID_ARGUMENT for an address from which no file may come */
  requirePullable: (url: string) => void;
  /**
   * Fetches a file into the store and returns its size.
   *
   * Errors: INVALID_ARGUMENT when it cannot be had or is no table; PAYLOAD_TOO_LARGE; DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID, which pass
   */
  pullFile: (pull: Pull) => Promise<number>;
}

/** The name of a file by its address. */
export function fileNameOf(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return decoded(name) || new URL(url).host;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const OBJECT = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.+)$/;

/** Fetches files of lists over HTTPS, or from the configured object store; nothing is fetched from private networks unless that is allowed. */
export function filePuller(app: SourceApp & ImportLimits, settings: PullSettings): PullPart {
  return {
    requirePullable: url => requirePullable(url, settings),
    async pullFile({ url, key, signal, report }) {
      const until = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)]);
      const { address, isOwnStore } = await addressOf(url, settings);
      try {
        const answer = await fileAt(address, { allowPrivate: settings.allowPrivate || isOwnStore, signal: until });
        return await storeTable(app, key, counted(answer, report));
      } catch (error) {
        throw signal.aborted ? error : failureOf(error);
      }
    },
  };
}

function requirePullable(url: string, { allowPrivate, buckets, signObject }: PullSettings): void {
  const [, bucket] = OBJECT.exec(url) ?? [];
  if (bucket !== undefined) {
    if (signObject === null || !buckets.includes(bucket)) throw invalidArgument('url', 'noObjectStore');
  } else if (!isOutsideUrl(url, { allowPrivate })) throw invalidArgument('url', 'noOutsideUrl');
}

async function addressOf(url: string, { signObject }: PullSettings): Promise<{ address: string; isOwnStore: boolean }> {
  const [, bucket = '', object = ''] = OBJECT.exec(url) ?? [];
  if (bucket === '' || signObject === null) return { address: url, isOwnStore: false };
  return { address: await signObject(bucket, object), isOwnStore: true };
}

/** Errors: CalloutError for an answer without a file; OutsideError */
async function fileAt(url: string, rules: Parameters<typeof openDownload>[1]): Promise<Download> {
  const found = await openDownload(url, rules);
  if (typeof found !== 'number') return found;
  if (found >= SERVER_FAILED || found === TOO_MANY) throw new CalloutError('DOWNSTREAM_INVALID', `文件所在的服务器应答 ${found}`);
  throw invalidArgument('url', 'answeredWith', { status: found });
}

async function* counted({ bytes, totalBytes }: Download, report: Pull['report']): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of bytes) {
    done += chunk.length;
    report({ done, total: totalBytes });
    yield chunk;
  }
}

/** A refused address is a permanent error of the input; a CalloutError stays as it is; every other failure is retried. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof OutsideError)) return error instanceof CalloutError ? error : unreachable(error);
  if (error.fault === 'address_private' || error.fault === 'address_invalid') return invalidArgument('url', 'noOutsideUrl');
  const code = error.fault === 'timeout' ? 'DOWNSTREAM_TIMEOUT' : 'DOWNSTREAM_INVALID';
  return new CalloutError(code, `文件无法取得：${OUTSIDE_FAULTS[error.fault]}`, { cause: error });
}

function unreachable(cause: unknown): CalloutError {
  return new CalloutError('DOWNSTREAM_INVALID', '文件无法取得', { cause });
}
