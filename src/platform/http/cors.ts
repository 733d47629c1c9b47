import type { RequestHandler } from 'express';

const ALLOWED_METHODS = 'GET, POST, PATCH, DELETE';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id';
const EXPOSED_HEADERS = 'X-Request-Id, Retry-After, ETag';
const PREFLIGHT_CACHE_SECONDS = 600;

/**
 * Answers every OPTIONS with 204 and lets the configured origins read responses; `*` allows every origin.
 *
 * Source: D2.8
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    const origin = request.headers.origin;
    const isAllowed = origin !== undefined && (allowed.has(origin) || allowed.has('*'));
    if (allowed.size > 0) response.vary('Origin');
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    if (request.method !== 'OPTIONS') return next();
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Methods', ALLOWED_METHODS);
      response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
      response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_CACHE_SECONDS));
    }
    response.statusCode = 204;
    response.end();
  };
}
