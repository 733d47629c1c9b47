import type { IncomingMessage } from 'node:http';
import { NLU_LIMITS } from '#protocol/nlu.ts';
import { CalloutError } from '#kernel/errors.ts';

/**
 * Reads a JSON body completely.
 *
 * Errors: PAYLOAD_TOO_LARGE over 256 KiB; INVALID_ARGUMENT when it is compressed, truncated, or not JSON
 * Source: D13.4
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  return parseJson(await readText(request));
}

function readText(request: IncomingMessage): Promise<string> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new CalloutError('INVALID_ARGUMENT', '参数错误：请求体不能压缩');
  if (Number(request.headers['content-length'] ?? 0) > NLU_LIMITS.maxBodyBytes) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= NLU_LIMITS.maxBodyBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    request.on('end', () => resolve(joinText(chunks)));
    request.on('error', () => reject(new CalloutError('INVALID_ARGUMENT', '参数错误：请求体没有传完')));
  });
}

function joinText(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  const whole = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
  return whole.toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (cause) {
    throw new CalloutError('INVALID_ARGUMENT', '参数错误：请求体不是合法的 JSON', { cause });
  }
}

function tooLarge(): CalloutError {
  return new CalloutError('PAYLOAD_TOO_LARGE', `请求体超过 ${NLU_LIMITS.maxBodyBytes / 1024} KiB`);
}
