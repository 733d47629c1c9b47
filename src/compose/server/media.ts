import type { Config } from '../config/shape.ts';

/** Source: OCS 4.16 */
export function mediaOf({ media, cells }: Config) {
  const withPrefix = cells.filter(cell => cell.recordingBaseUrl !== '');
  const { baseUrl, switchRecordingBaseUrl, emotionAudioBaseUrl } = media;
  const switchRecordingBaseUrlsByCell = Object.fromEntries(withPrefix.map(cell => [cell.id, cell.recordingBaseUrl]));
  return { baseUrl, switchRecordingBaseUrl, switchRecordingBaseUrlsByCell, emotionAudioBaseUrl };
}
