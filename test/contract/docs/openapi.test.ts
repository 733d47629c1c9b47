import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RouteContract } from '#contract/rest/route.ts';
import { openApiDocument, type OpenApiDocument, openApiPath } from '#edges/docs/openapi.ts';
import { danglingReferences } from './references.ts';

const CONTRACTS = join(import.meta.dirname, '../../../src/contract/rest');
const METHODS = ['get', 'post', 'patch', 'delete'];

/** Every route contract that a file of contract/rest exports. */
async function everyRoute(): Promise<RouteContract[]> {
  const files = (await readdir(CONTRACTS)).filter(name => name.endsWith('.ts'));
  const modules = await Promise.all(files.map(name => import(join(CONTRACTS, name)) as Promise<Record<string, unknown>>));
  return modules.flatMap(module => Object.values(module).filter(isRoute));
}

function isRoute(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'data' in value;
}

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
