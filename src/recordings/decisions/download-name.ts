/** What the name of a downloaded recording is made of. */
interface NamedCall {
  id: number;
  campaignName: string;
  /** When it was dialled, UTC ms. */
  startedAt: number;
  /** Short file name of the recording. */
  recording: string;
}

/** Longest campaign name in the name of a file: some file systems take 255 bytes in all. */
const MAX_NAME_LENGTH = 40;

/**
 * The name under which a recording is saved: campaign, local time and row id, which sort by time and can be found again.
 *
 * Why: no phone number, which would leave the system with the name of each file
 */
export function downloadName({ id, campaignName, startedAt, recording }: NamedCall, timeZone: string): string {
  const name = campaignName.replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, '_').slice(0, MAX_NAME_LENGTH);
  return `${name}-${localText(startedAt, timeZone)}-${id}${extensionOf(recording)}`;
}

/** `20261129-143005`. */
function localText(at: number, timeZone: string): string {
  const text = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' });
  return text.replaceAll(/[-:]/g, '').replace('T', '-');
}

/** The extension of a file in small letters, with its dot; empty without a usual one. */
export function extensionOf(name: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0].toLowerCase() ?? '';
}
