import type { AttemptStatus, HangupBy, RecordingState, Speaker } from '#attempts/attempt.ts';
import type { ContactStatus } from '#contacts/contact.ts';
import type { CallStatus } from '#protocol/call-status.ts';
import type { Words } from '../export.ts';

const ATTEMPT_WORDS: Readonly<Record<AttemptStatus, Words>> = {
  claimed: ['即将呼出', 'Queued'],
  dialing: ['呼出中', 'Dialling'],
  accepted: ['等待接听', 'Waiting for an answer'],
  answered: ['通话中', 'Talking'],
  completed: ['已完成', 'Completed'],
  failed: ['失败', 'Failed'],
  cancelled: ['已撤回', 'Cancelled'],
  outcome_unknown: ['结果未知', 'Unknown'],
};
const CALL_WORDS: Readonly<Record<CallStatus, Words>> = {
  ringing: ['振铃', 'Ringing'],
  answered: ['已接通', 'Answered'],
  completed: ['已完成', 'Completed'],
  no_answer: ['无人接听', 'No answer'],
  busy: ['用户忙', 'Busy'],
  rejected: ['拒接', 'Rejected'],
  power_off: ['关机', 'Switched off'],
  out_of_service: ['停机', 'Out of service'],
  invalid_number: ['空号', 'Invalid number'],
  network_busy: ['网络忙', 'Network busy'],
  voicemail: ['语音信箱', 'Voicemail'],
  cancelled: ['已取消', 'Cancelled'],
  failed: ['失败', 'Failed'],
};
const PARTY_WORDS: Readonly<Record<HangupBy, Words>> = {
  customer: ['客户', 'Customer'],
  bot: ['机器人', 'Bot'],
  agent: ['坐席', 'Agent'],
  system: ['系统', 'System'],
};
const CONTACT_WORDS: Readonly<Record<ContactStatus, Words>> = {
  pending: ['待呼', 'Pending'],
  submitted: ['通话中', 'On a call'],
  completed: ['已触达', 'Reached'],
  failed: ['未触达', 'Not reached'],
  paused: ['已移出', 'Excluded'],
};

const SPEAKER_WORDS: Readonly<Record<Speaker, Words>> = {
  bot: ['机器人', 'Bot'],
  customer: ['客户', 'Customer'],
  agent: ['坐席', 'Agent'],
};

const RECORDING_WORDS: Readonly<Record<RecordingState, Words>> = {
  none: ['没有录音', 'None'],
  pending: ['待检查', 'Being checked'],
  complete: ['完整', 'Complete'],
  short: ['短于通话', 'Shorter than the call'],
  silent: ['无声', 'Silent'],
  missing: ['文件缺失', 'File missing'],
  unknown: ['无法检查', 'Could not be checked'],
  removed: ['到期已删', 'Removed by retention'],
};

/** Labels by the section of the console's texts that has the same ones. */
export const WORDS = {
  attemptStatus: ATTEMPT_WORDS,
  callStatus: CALL_WORDS,
  hangupBy: PARTY_WORDS,
  contactStatus: CONTACT_WORDS,
  speaker: SPEAKER_WORDS,
  recordingState: RECORDING_WORDS,
};

/** The number was written with its extension. */
const WITH_EXTENSION = /(?:[转轉x#,;]|分[机機]号?|[内內][线線]|ext(?:ension)?[.:]?)\s*\d+#?$/i;

/** A number with its extension, as an import reads it. */
export function spelledNumber({ phoneNumber, extension }: { phoneNumber: string; extension: string }): string {
  return extension === '' || WITH_EXTENSION.test(phoneNumber) ? phoneNumber : `${phoneNumber}转${extension}`;
}
