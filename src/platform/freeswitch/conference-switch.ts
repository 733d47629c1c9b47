import type { ConferenceSwitch } from './switch.ts';
import { CalloutError } from '#kernel/errors.ts';
import {
  digitsLine,
  isAbsent,
  isRecordedAlready,
  joinLine,
  memberLine,
  membersLine,
  parkLine,
  parseMembers,
  recordLine,
  relateLine,
} from './conference-commands.ts';

export interface ConferenceSwitchDeps {
  /** Errors: SWITCH_UNAVAILABLE */
  api: (cellId: string, line: string) => Promise<string>;
  /** Absolute path of the cell's recording folder. */
  recordingFolder: (cellId: string) => string;
}

/** Conferences over the Event Socket. Every success text is checked; an unknown reply counts as a failure of the cell. */
export function conferenceSwitch({ api, recordingFolder }: ConferenceSwitchDeps): ConferenceSwitch {
  const run = async <T>(cellId: string, line: string, done: T): Promise<T | 'absent'> => {
    const answer = await api(cellId, line);
    if (answer.startsWith('+OK') || answer.startsWith('Stopped recording') || isRecordedAlready(answer)) return done;
    if (isAbsent(answer)) return 'absent';
    throw unexpected(cellId);
  };
  return {
    join: (cellId, channelUuid, place) => run(cellId, joinLine(channelUuid, place), 'moved'),
    park: (cellId, channelUuid) => run(cellId, parkLine(channelUuid), 'moved'),
    async members(cellId, conferenceName) {
      const members = parseMembers(await api(cellId, membersLine(conferenceName)));
      if (members === undefined) throw unexpected(cellId);
      return members;
    },
    change: (cellId, conferenceName, memberId, action) => run(cellId, memberLine(conferenceName, memberId, action), 'done'),
    relate: (cellId, conferenceName, memberId, relation) => run(cellId, relateLine(conferenceName, memberId, relation), 'done'),
    record: (cellId, conferenceName, fileName) =>
      run(cellId, recordLine(conferenceName, fileName === null ? null : `${recordingFolder(cellId)}/${fileName}`), 'done'),
    sendDigits: (cellId, channelUuid, digits) => run(cellId, digitsLine(channelUuid, digits), 'done'),
  };
}

function unexpected(cellId: string): CalloutError {
  return new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cellId} 未执行该命令，请稍后重试`);
}
