import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, read, type TestClient, testClient, write } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { tellingAnswers } from './kept-reads.ts'

let service: TestService
let client: TestClient
beforeEach(async () => {
  service = await startService()
  client = testClient(service.hostUrl)
})
afterEach(async () => {
  await client.api.close()
  await service.close()
})

const request = { params: {}, query: {}, body: {}, credential: keyCredential } as const

test('the API client reports the route of each successful call to other parts of the app, with the body if it is readable, but reports no refused call', async () => {
  const told: (readonly [route: string, raw: string | null])[] = []
  const api = tellingAnswers(client.api, (route, raw) => told.push([route, raw === null ? null : raw()]))
  await api.call(read, request)
  service.answer = (_request, response) => json(response, 403, { code: 'IP_NOT_ALLOWED' })
  await api.call(read, request)
  service.answer = (_request, response) => void response.writeHead(200).end('{"cut')
  await api.call(read, request)
  await api.call(write, request)
  expect(told).toEqual([
    [read.route, '{"success":true}'],
    [read.route, null],
    [write.route, null],
  ])
})

test('an API call succeeds even if the part of the app that is notified of successful calls throws an error', async () => {
  const api = tellingAnswers(client.api, () => {
    throw new Error('The journal is full')
  })
  expect(await api.call(read, request)).toMatchObject({ ok: true, value: { status: 200 } })
  service.answer = (_request, response) => void response.writeHead(200).end('{"cut')
  expect(await api.call(write, request)).toMatchObject({ ok: false, failure: { failure: { kind: 'unreadable' } } })
})
