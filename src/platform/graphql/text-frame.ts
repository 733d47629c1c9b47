/** First byte of a text message in one frame (RFC 6455 5.2). */
const WHOLE_TEXT = 0x81;
const MAX_SHORT = 125;
const MAX_MEDIUM = 0xff_ff;

/**
 * A complete WebSocket text message of a server, with its parts concatenated.
 *
 * Why: subscribers of one operation receive the same bytes after their own id, and each message is one write
 */
export function textFrame(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const headLength = length <= MAX_SHORT ? 2 : length <= MAX_MEDIUM ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = WHOLE_TEXT;
  if (headLength === 2) frame[1] = length;
  else if (headLength === 4) {
    frame[1] = MAX_SHORT + 1;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = MAX_SHORT + 2;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  let at = headLength;
  for (const part of parts) at += part.copy(frame, at);
  return frame;
}
