import { z } from 'zod';
import { route } from '#platform/http/route.ts';

/** Source: OCS 2.13, 4.16 */
export const mediaConfigRoute = route('GET /api/media/config', 'session', '录音与情绪音频的地址配置', {
  data: z.object({
    baseUrl: z.string(),
    switchRecordingBaseUrl: z.string(),
    switchRecordingBaseUrlsByCell: z.record(z.string(), z.string()),
    emotionAudioBaseUrl: z.string(),
  }),
});
