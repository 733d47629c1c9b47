/** `Content-Disposition` of a file to be saved: its name in full for browsers, and without what headers cannot carry for all others (RFC 6266). */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]+/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll(/['()*]/g, percentEncoded)}`;
}

function percentEncoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}
