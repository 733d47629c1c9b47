import { z } from 'zod';
import { idText8, route } from '#platform/http/route.ts';

/** Requires the permission for dispatch, like listening into a live call (OCS 4.15): both reveal what a customer said. */
export const readRecordingRoute = route('GET /api/recordings/:attemptId', 'campaign:dispatch', '播放通话录音', {
  params: z.object({ attemptId: idText8 }),
  data: z.never(),
  media: 'audio/*',
  also: { 206: 'Range 所指的一段；只支持单段', 416: 'Range 超出文件，Content-Range 给出长度' },
});
