import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { createUserPlaces } from '#access/user-places.ts';
import { CalloutError } from '#kernel/errors.ts';
import { ANSWERED, handler, rawHandler, type RestHandler, type RouteHandler } from '#platform/http/handler.ts';
import { flagFilter, idText8, route } from '#platform/http/route.ts';
import type { Attempt } from '#attempts/attempt.ts';
import { CAMPAIGN_TABLE } from '#campaigns/campaign-store.ts';
import { attachment } from '#platform/http/attachment.ts';
import { rowsById } from '#platform/postgres/listing.ts';
import { downloadName, extensionOf } from './decisions/download-name.ts';
import { mediaTypeOf } from '#protocol/result.ts';
import { type MediaConfig, openRecording, type OpenRecording, parseRange, type RequestedRange } from './recording.ts';
import { readRecordingHealth, recordingHealth } from './recording-health.ts';
import type { App } from '#app/app.ts';

/** Source: OCS 2.13, 4.16 */
export const mediaConfigRoute = route('GET /api/media/config', 'session', '录音与情绪音频的地址配置', {
  data: z.object({
    baseUrl: z.string(),
    switchRecordingBaseUrl: z.string(),
    switchRecordingBaseUrlsByCell: z.record(z.string(), z.string()),
    emotionAudioBaseUrl: z.string(),
  }),
});

/** Requires the permission for dispatch, like listening into a live call (OCS 4.15): both reveal what a customer said. */
export const readRecordingRoute = route('GET /api/recordings/:attemptId', 'campaign:dispatch', '播放通话录音', {
  params: z.object({ attemptId: idText8 }),
  query: z.object({ download: flagFilter.meta({ description: '1：作为文件保存，文件名为活动、时间与通话编号；记入审计' }) }),
  data: z.never(),
  media: 'audio/*',
  also: { 206: 'Range 所指的一段；只支持单段', 416: 'Range 超出文件，Content-Range 给出长度' },
});

/** Source: D7.20 */
export const recordingHealthRoute = route('GET /api/recording-health', 'session', '近 24 小时录音的检查结果，按交换节点', {
  data: recordingHealth,
});

/** Source: OCS 2.13 */
export function mediaHandlers(config: MediaConfig): RestHandler[] {
  return [handler(mediaConfigRoute, () => Promise.resolve(config))];
}

/** Most recordings that one instance sends at once: each takes an open file and a buffer. */
const SENDING = { all: 100, ofUser: 20, refusal: '同时播放的录音过多，请稍后重试', retryAfterSeconds: 2 };
/** A client, or a cell's web server, that transfers nothing for this long is disconnected, in ms. */
const STALL_MS = 30_000;

/** Serves recordings of calls, whole or in ranges. */
export function recordingHandlers(app: App): RouteHandler[] {
  const places = createUserPlaces(SENDING);
  return [
    handler(recordingHealthRoute, () => readRecordingHealth(app)),
    rawHandler(readRecordingRoute, async ({ params: { attemptId }, query: { download }, caller, request, response, signal }) => {
      await places(caller, async () => {
        const isDownload = download === true;
        const { call, name, recording } = await openRecording(app, caller, { attemptId, range: askedOf(request), isDownload, signal });
        if (recording.part === 'beyond') return sendBeyond(response, recording.totalBytes);
        const disposition = isDownload ? attachment(await savedNameOf(app, call, name)) : shownAs(attemptId, name);
        await send({ request, response, signal }, recording, { name, disposition });
      });
      return ANSWERED;
    }),
  ];
}

/** Recordings have no validator, so a request with If-Range gets the whole file (RFC 9110 §13.1.5). */
function askedOf({ headers }: IncomingMessage): RequestedRange | null {
  return headers['if-range'] === undefined ? parseRange(headers.range) : null;
}

/** In the page, unless a browser does not know how to play it. */
function shownAs(attemptId: number, name: string): string {
  return `${mediaTypeOf(name) === null ? 'attachment' : 'inline'}; filename="call-${attemptId}${extensionOf(name)}"`;
}

async function savedNameOf(app: App, { id, campaignId, startedAt, createdAt }: Attempt, recording: string): Promise<string> {
  const [campaign] = await rowsById(app, CAMPAIGN_TABLE, [campaignId]);
  return downloadName({ id, campaignName: campaign?.name ?? 'call', startedAt: startedAt ?? createdAt, recording }, app.timeZone);
}

function sendBeyond(response: ServerResponse, totalBytes: number): void {
  response.writeHead(416, { 'Content-Range': `bytes */${totalBytes}` }).end();
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  signal: AbortSignal;
}

async function send(
  { request, response, signal }: Exchange,
  recording: OpenRecording,
  { name, disposition }: { name: string; disposition: string },
): Promise<void> {
  const { totalBytes, part } = recording;
  const type = mediaTypeOf(name);
  const length = part === null ? totalBytes : part.last - part.first + 1;
  response.statusCode = part === null ? 200 : 206;
  response.setHeader('Content-Type', type ?? 'application/octet-stream');
  response.setHeader('Content-Disposition', disposition);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', length);
  if (part !== null) response.setHeader('Content-Range', `bytes ${part.first}-${part.last}/${totalBytes}`);
  response.setTimeout(STALL_MS, () => response.destroy());
  try {
    if (request.method === 'HEAD') response.end();
    else await pipeline(exactly(length, recording.read()), response, { signal });
  } finally {
    await recording.close();
  }
}

/**
 * Yields exactly `length` bytes, or breaks the connection.
 *
 * Why: a client would read surplus bytes as the next response, and wait for missing ones
 */
async function* exactly(length: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = length;
  for await (const chunk of bytes) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new CalloutError('DOWNSTREAM_INVALID', '录音长度与声明不符');
}
