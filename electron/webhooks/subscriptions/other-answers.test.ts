import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { second } from '../../../shared/time.ts'

type Webhook = Readonly<Record<string, unknown>>

const path = '/api/dex/developer/webhooks'
const request = { url: 'https://Bots.example', events: ['order.filled'] }

let workspace: Workspace
/** How the service lists a webhook, and how it answers a creation. */
let lists: (webhook: Webhook) => Webhook
let creates: (answer: Readonly<Record<string, unknown>>) => unknown
beforeEach(async () => {
  lists = (webhook) => webhook
  creates = (answer) => answer
  workspace = await startWorkspace({
    speaks: (route, body) => {
      if (route === `POST ${path}`) return creates(body as Readonly<Record<string, unknown>>)
      if (route !== `GET ${path}`) return body
      const { webhooks, ...rest } = body as { webhooks: Webhook[] }
      return { ...rest, webhooks: webhooks.map((webhook) => lists(webhook)) }
    },
  })
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const create = () => workspace.handlers()['webhooks.create'](request)
const list = async () => value(await workspace.handlers()['webhooks.list']({}))
const standardUrl = (webhook: Webhook) => ({ ...webhook, url: new URL(String(webhook.url)).href })

test('the app finds a webhook whose creation got no answer although the service lists its URL in standard form [HOOK-03] [KEY-16]', async () => {
  lists = standardUrl
  workspace.faults.dropAnswer = [{ route: `POST ${path}`, times: 1 }]
  expect(failure(await create()).kind).toBe('outcome_unknown')
  workspace.clock.advance(16 * second)
  const [{ id } = expect.fail('no webhook')] = (await list()).webhooks
  expect(value(await workspace.handlers()['webhooks.unmatched']({}))).toMatchObject([{ candidates: [{ id }] }])
})

test('the app keeps the signing secret of a new webhook that the answer does not name and the service lists in standard form [HOOK-03]', async () => {
  lists = standardUrl
  creates = ({ webhook: _, ...answer }) => answer
  expect(value(await create())).toMatchObject({ secret: 'keychain' })
})

test('the app does not count the active webhooks if the service lists no statuses [HOOK-04]', async () => {
  value(await create())
  expect((await list()).active).toBe(1)
  lists = ({ webhook_id: id, url }) => ({ webhook_id: id, url })
  expect(await list()).toMatchObject({ active: null, webhooks: [{ status: 'unknown' }] })
})

test('the app creates a webhook only once again, although the user presses twice [HOOK-04]', async () => {
  const { id } = value(await create())
  const again = async () => workspace.handlers()['webhooks.createAgain']({ webhookId: id })
  const [first, more] = await Promise.all([again(), again()])
  expect([first.ok, failure(more)]).toEqual([true, { kind: 'wrong_state', state: 'running', wanted: 'idle' }])
  expect(workspace.exchange.effects().webhooks.map(({ status }) => status)).toEqual(['disabled', 'active'])
})
