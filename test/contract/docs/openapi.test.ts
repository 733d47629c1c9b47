import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RouteContract } from '#platform/http/route.ts';
import { openApiDocument, type OpenApiDocument, openApiPath } from '#platform/docs/openapi.ts';
import { everyRoute } from '#test/support/every-route.ts';
import { danglingReferences } from './references.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

describe('the OpenAPI document', () => {
  let routes: RouteContract[];
  let document: OpenApiDocument;

  beforeAll(async () => {
    routes = await everyRoute();
    document = openApiDocument(routes, '1.2.3');
  });

  test('has the required members of 3.1 and its references resolve', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Callout 外呼管理服务', version: '1.2.3' });
    expect(danglingReferences(document)).toEqual([]);
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      expect(path).toMatch(/^\//);
      expect(Object.keys(item).filter(method => !METHODS.includes(method))).toEqual([]);
    }
  });

  test('contains every given route', () => {
    expect(routes.length).toBeGreaterThan(40);
    const told = (route: RouteContract) => Reflect.get(document.paths?.[openApiPath(route.path)] ?? {}, route.method.toLowerCase());
    expect(routes.filter(route => told(route) === undefined).map(route => `${route.method} ${route.path}`)).toEqual([]);
  });

  test('every operation has a unique id, a section, and the parameters in its path', () => {
    const ids: unknown[] = [];
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const operation of Object.values(item)) {
        const { operationId, tags, parameters = [], responses } = operation as Record<string, { in: string; name: string }[]>;
        ids.push(operationId);
        expect(tags?.[0]).toMatch(/[一-鿿]/);
        expect(parameters.filter(parameter => parameter.in === 'path').map(({ name }) => name)).toEqual(named);
        expect(Object.keys(Object(responses))).toEqual(expect.arrayContaining(['200', 'default']));
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('states the required access [OCS 2.3, 5]', () => {
    const security = (path: string, method: 'get' | 'post') => document.paths?.[path]?.[method]?.security;
    expect(security('/health', 'get')).toEqual([]);
    expect(security('/api/lines', 'get')).toEqual([{ session: [] }]);
    expect(security('/api/call-results', 'post')).toEqual([{ internalToken: [] }]);
    expect(document.paths?.['/api/lines']?.post?.description).toContain('line:write');
  });

  test('flags are 0 or 1, uploads are multipart, streams are streams', () => {
    expect(JSON.stringify(document.paths?.['/api/lines']?.post?.requestBody)).toContain('"isEnabled":{"type":"integer","enum":[0,1]');
    expect(Object.keys(Object(document.paths?.['/api/campaigns/{id}/import-files']?.post?.requestBody).content)).toEqual([
      'multipart/form-data',
    ]);
    expect(JSON.stringify(document.paths?.['/api/runtime/events']?.get?.responses?.['200'])).toContain('text/event-stream');
  });

  test('every schema has a descriptive name', () => {
    expect(Object.keys(document.components?.schemas ?? {}).filter(name => name.startsWith('_'))).toEqual([]);
  });
});
