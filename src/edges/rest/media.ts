import { mediaConfigRoute } from '#contract/rest/media.ts';
import { handler, type RestHandler } from './handler.ts';

export interface MediaConfig {
  baseUrl: string;
  switchRecordingBaseUrl: string;
  /** Cell id → prefix; cells without one are left out. */
  switchRecordingBaseUrlsByCell: Record<string, string>;
  emotionAudioBaseUrl: string;
}

/** Source: OCS 2.13 */
export function mediaHandlers(config: MediaConfig): RestHandler[] {
  return [handler(mediaConfigRoute, () => Promise.resolve(config))];
}
