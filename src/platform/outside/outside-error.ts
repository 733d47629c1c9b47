/** Why a request to an address that somebody has typed brought no answer. */
export const OUTSIDE_FAULTS = {
  address_invalid: '地址不正确',
  address_private: '地址在内网，未获准访问',
  unresolved: '域名无法解析',
  unreachable: '无法连接',
  timeout: '没有及时应答',
  answer_too_long: '应答过长',
  answer_invalid: '应答不合要求',
} as const;

export type OutsideFault = keyof typeof OUTSIDE_FAULTS;

/** A request to an address outside failed before an answer was complete. */
export class OutsideError extends Error {
  readonly fault: OutsideFault;

  constructor(fault: OutsideFault, options: { cause?: unknown } = {}) {
    super(fault, options);
    this.name = 'OutsideError';
    this.fault = fault;
  }
}
