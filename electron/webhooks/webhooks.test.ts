import { afterEach, beforeEach, expect, test } from 'vitest'
import { dieAtWrite } from '../../e2e/support/main/sudden-death.ts'
import { failure, startWorkspace, value, type Workspace } from '../../e2e/support/main/workspace.ts'
import { second } from '../../shared/time.ts'

const path = '/api/dex/developer/webhooks'
const createRoute = `POST ${path}`
const disableRoute = `DELETE ${path}/{webhook_id}`
const url = 'https://bots.example/in'
const events = ['order.filled', 'position.changed']

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const create = (change: { readonly url?: string; readonly events?: string[] } = {}) => workspace.handlers()['webhooks.create']({ url, events, ...change })
const list = async () => value(await workspace.handlers()['webhooks.list']({}))
const unmatched = async () => value(await workspace.handlers()['webhooks.unmatched']({}))
const settle = (operationId: string, webhookId: string | null, action: 'create_again' | 'disable' | 'dismiss') =>
  workspace.handlers()['webhooks.resolveUnmatched']({ operationId, webhookId, action })
const sentToCreate = () => workspace.sent.filter((sent) => sent.method === 'POST' && sent.path === path)
const kept = () => [...workspace.secrets.entries].map(([account, secret]) => [account, secret.reveal()])
const existing = () => workspace.exchange.effects().webhooks
const states = () =>
  workspace
    .journal()
    .secretOperations.list('practice', 20)
    .map(({ kind, state }) => `${kind} ${state}`)

/** Simulates a creation whose response is lost although the service created the webhook. */
async function lostCreation(): Promise<string> {
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  expect(failure(await create())).toMatchObject({ kind: 'outcome_unknown', route: createRoute })
  return String(existing().at(-1)?.webhook_id)
}

test('when it creates a webhook, the app sends the chosen URL and events, and returns only after the signing secret is stored [HOOK-02] [HOOK-03]', async () => {
  const made = value(await create())
  expect(JSON.parse(sentToCreate()[0]?.body ?? '')).toEqual({ url, events })
  expect(made).toMatchObject({ url, events, status: 'active', secret: 'keychain' })
  expect(kept()).toEqual([[`webhook/practice/${made.id}/1`, expect.stringMatching(/^svc_whsec_[0-9a-f]{64}$/)]])
  expect(states()).toEqual(['webhook_create VERIFIED'])
  const listed = await list()
  expect(listed).toMatchObject({ active: 1, limit: 8, webhooks: [made] })
  expect(JSON.stringify([made, listed, workspace.events])).not.toContain('svc_whsec_')
  value(await create({ events: ['*'] }))
  expect(JSON.parse(sentToCreate()[1]?.body ?? '').events).toEqual(['*'])
})

test('when it creates a webhook, the app sends nothing if an event is unknown, or if the wildcard * is combined with another event [HOOK-02]', async () => {
  expect(failure(await create({ events: ['*', 'liquidation'] }))).toMatchObject({ kind: 'bad_input', field: 'events' })
  expect(sentToCreate()).toEqual([])
})

test('when it creates a webhook, the app looks up every address of the URL’s host, and sends nothing unless all are public [HOOK-01]', async () => {
  workspace.names.set('half.example', ['93.184.216.34', '192.168.0.9'])
  workspace.names.set('sixth.example', ['2606:2800:220:1::1', 'fd00::7'])
  workspace.names.set('none.example', 'ENOTFOUND')
  const issueOf = async (host: string) => failure(await create({ url: `https://${host}/in` }))
  expect(await issueOf('half.example')).toMatchObject({ kind: 'bad_input', field: 'url', issue: 'inner_address half.example 192.168.0.9' })
  expect(await issueOf('sixth.example')).toMatchObject({ kind: 'bad_input', field: 'url', issue: 'inner_address sixth.example fd00::7' })
  expect(await issueOf('none.example')).toMatchObject({ kind: 'bad_input', field: 'url', issue: 'no_address none.example' })
  for (const typed of [
    'http://bots.example/in',
    'https://bots.example:444/in',
    'https://me:pw@bots.example/in',
    'https://10.0.0.1/in',
    'http://127.0.0.1:4000/',
  ])
    expect([typed, failure(await create({ url: typed }))]).toEqual([typed, expect.objectContaining({ kind: 'bad_input', field: 'url' })])
  expect(sentToCreate()).toEqual([])
  // The resolver does not answer, so the app leaves the decision to the service.
  workspace.names.set('bots.example', 'EAI_AGAIN')
  expect(value(await create())).toMatchObject({ url })
})

test('a ninth webhook that the service refuses changes nothing; disabling a webhook deletes its secret and makes room for another [HOOK-04]', async () => {
  const ids: string[] = []
  for (let count = 0; count < 8; count += 1) ids.push(value(await create({ url: `${url}/${count}` })).id)
  expect(await list()).toMatchObject({ active: 8, limit: 8 })
  const [first = ''] = ids
  expect(failure(await create())).toMatchObject({ kind: 'refused', code: 'WEBHOOK_LIMIT_REACHED', requestId: expect.any(String) })
  expect(await unmatched()).toEqual([])
  value(await workspace.handlers()['webhooks.disable']({ webhookId: first }))
  expect(await list()).toMatchObject({ active: 7 })
  expect((await list()).webhooks.find(({ id }) => id === first)).toMatchObject({ status: 'disabled', secret: 'elsewhere' })
  expect(kept()).toHaveLength(7)
  value(await create())
})

test('if the response to disabling a webhook was lost, the app finds the result in the list of webhooks; repeating the request is safe [HOOK-04]', async () => {
  const { id } = value(await create())
  workspace.faults.dropAnswer = [{ route: disableRoute, times: 9 }]
  expect(failure(await workspace.handlers()['webhooks.disable']({ webhookId: id })).kind).toMatch(/unreachable|outcome_unknown/)
  workspace.faults.dropAnswer = []
  expect(states()[0]).toBe('webhook_disable UNKNOWN')
  expect(await list()).toMatchObject({ active: 0 })
  expect(states()[0]).toBe('webhook_disable SETTLED')
  expect(kept()).toEqual([])
  value(await workspace.handlers()['webhooks.disable']({ webhookId: id }))
})

test('the app creates no webhook if the keychain cannot store; if storing fails afterwards, the app keeps the new secret in memory and retries [HOOK-03]', async () => {
  workspace.secrets.failWrites('locked')
  expect(failure(await create())).toMatchObject({ kind: 'keychain', code: 'locked' })
  expect(sentToCreate()).toEqual([])
  workspace.secrets.failWritesAfterProbe('failed')
  const made = value(await create())
  expect(made.secret).toBe('memory')
  expect(workspace.events).toContainEqual(expect.objectContaining({ type: 'notice', severity: 'danger', to: `/webhooks/${made.id}` }))
  expect(value(await workspace.handlers()['app.attention']({}))).toContainEqual(expect.objectContaining({ kind: 'unstored_webhook' }))
  value(await workspace.handlers()['webhooks.copySecret']({ webhookId: made.id }))
  expect(failure(await workspace.handlers()['webhooks.retryStore']({ webhookId: made.id }))).toMatchObject({ kind: 'keychain' })
  workspace.secrets.failWrites(null)
  value(await workspace.handlers()['webhooks.retryStore']({ webhookId: made.id }))
  expect((await list()).webhooks).toMatchObject([{ id: made.id, secret: 'keychain' }])
  expect(kept().map(([, secret]) => secret)).toEqual(workspace.copied.map((secret) => secret.reveal()))
  expect(states()).toEqual(['webhook_create VERIFIED'])
})

test('after a restart, the app reports a webhook creation without a response as an unmatched webhook, and offers to replace the webhook [HOOK-03] [KEY-16]', async () => {
  value(await create({ url: 'https://other.example/in' }))
  const id = await lostCreation()
  await workspace.restart()
  await workspace.connect()
  // The exchange still counts the earlier run's requests toward its rate limit, but this run doesn't know about them. So wait a second.
  workspace.clock.advance(second)
  expect(value(await workspace.handlers()['app.attention']({}))).toContainEqual(expect.objectContaining({ kind: 'orphan_webhook', to: '/webhooks' }))
  const [lost, ...more] = await unmatched()
  expect(more).toEqual([])
  expect(lost).toMatchObject({ url, events, candidates: [{ id, status: 'active', secret: 'elsewhere' }] })
  value(await settle(lost?.operationId ?? '', id, 'create_again'))
  expect(await unmatched()).toEqual([])
  const { webhooks } = await list()
  expect(webhooks.find((webhook) => webhook.id === id)).toMatchObject({ status: 'disabled' })
  expect(webhooks.filter((webhook) => webhook.url === url && webhook.status === 'active')).toMatchObject([{ events, secret: 'keychain' }])
  expect(states()).toEqual(['webhook_create VERIFIED', 'webhook_disable SETTLED', 'webhook_create SETTLED', 'webhook_create VERIFIED'])
})

test('the app lists two lost webhook creations with the same URL, and does not automatically assign a webhook to either [KEY-16]', async () => {
  const [first, second_] = [await lostCreation(), await lostCreation()]
  const found = await unmatched()
  expect(found.map(({ candidates }) => candidates.map(({ id }) => id).sort())).toEqual([[first, second_].sort(), [second_]])
  const [lost] = found
  expect(failure(await settle(lost?.operationId ?? '', null, 'disable'))).toMatchObject({ kind: 'bad_input' })
  expect(failure(await settle(lost?.operationId ?? '', 'wh_foreign', 'disable'))).toMatchObject({ kind: 'bad_input' })
  value(await settle(lost?.operationId ?? '', first ?? '', 'disable'))
  const [left] = await unmatched()
  value(await settle(left?.operationId ?? '', second_ ?? '', 'disable'))
  expect([await unmatched(), (await list()).active]).toEqual([[], 0])
})

test('the app stops listing a lost webhook creation as unmatched once its request can no longer reach the service [KEY-16]', async () => {
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  expect(failure(await create())).toMatchObject({ kind: 'outcome_unknown' })
  expect(await unmatched()).toMatchObject([{ candidates: [] }])
  workspace.clock.advance(16 * second)
  expect(await unmatched()).toEqual([])
  expect(states()).toEqual(['webhook_create SETTLED'])
})

test.each([
  ['lists one that cannot be read', (webhooks: object[]) => ({ webhooks: [...webhooks, 'in another form'] })],
  ['has more than it lists', (webhooks: object[]) => ({ webhooks, has_more: true })],
])('the app reports no webhook creation as lost or found if the service %s [KEY-16, ERR-02]', async (_, speak) => {
  let speaks = true
  await workspace.stop()
  workspace = await startWorkspace({
    speaks: (route, body) => {
      const { webhooks = [] } = body as { webhooks?: object[] }
      return speaks && route === 'GET /api/dex/developer/webhooks' ? speak(webhooks) : body
    },
  })
  await workspace.connect()
  await workspace.signIn()
  speaks = false
  value(await create({ url: `${url}/1` }))
  speaks = true
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  expect(failure(await create())).toMatchObject({ kind: 'outcome_unknown' })
  workspace.clock.advance(16 * second)
  const [lost] = await unmatched()
  expect([lost?.candidates, lost?.missing]).toEqual([[], (await list()).missing])
  expect((await list()).active).toBeNull()
  expect(states()).toContain('webhook_create UNKNOWN')
  // From here on, the service's list is complete again, so the app can decide the outcome of the lost creation.
  speaks = false
  expect(await unmatched()).toEqual([])
})

test('the app treats a webhook creation as unmatched if the response lacks the secret, but not if the service refuses or rate-limits the request [HOOK-03]', async () => {
  workspace.faults.keySecret = 'missing'
  expect(failure(await create())).toMatchObject({ kind: 'unreadable' })
  workspace.faults.keySecret = null
  expect(await unmatched()).toHaveLength(1)
  for (const status of [403, 429]) {
    workspace.faults.answer = [{ route: createRoute, status, code: 'NOT_NOW', times: 1 }]
    expect(failure(await create({ url: `${url}/${status}` })).kind).toMatch(/refused|rate_limited/)
  }
  expect(await unmatched()).toHaveLength(1)
})

test('if the app is killed between any two writes, it reports every active webhook whose signing secret is lost [HOOK-03] [KEY-16]', async () => {
  let deaths = 0
  for (let write = 0; write < 16; write += 1) {
    const death = dieAtWrite(workspace, write)
    await Promise.resolve(create({ url: `${url}/${write}` })).catch(() => undefined)
    death.revive()
    if (!death.died()) break
    deaths += 1
    await workspace.restart()
    await workspace.connect()
    const asked = (await unmatched()).flatMap(({ operationId, candidates }) => candidates.map(({ id }) => [operationId, id] as const))
    const strays = (await list()).webhooks.filter(({ status, secret }) => status === 'active' && secret === 'elsewhere').map(({ id }) => id)
    expect([write, asked.map(([, id]) => id)]).toEqual([write, strays])
    for (const [operationId, id] of asked) value(await settle(operationId, id, 'disable'))
    for (const { id, status } of (await list()).webhooks) if (status === 'active') value(await workspace.handlers()['webhooks.disable']({ webhookId: id }))
  }
  expect(deaths).toBeGreaterThan(4)
  expect(kept().length).toBeLessThanOrEqual(1)
})

test('after a crash, the app finds a webhook’s secret that is in the keychain but not in the app’s index, even while it searches lost creations [HOOK-03]', async () => {
  const death = dieAtWrite(workspace, 4)
  await Promise.resolve(create()).catch(() => undefined)
  death.revive()
  expect([death.died(), kept().length]).toEqual([true, 1])
  await workspace.restart()
  await workspace.connect()
  const [listed, lost] = await Promise.all([list(), unmatched()])
  expect([listed.webhooks.map(({ secret }) => secret), lost]).toEqual([['keychain'], []])
  expect(states()).toEqual(['webhook_create VERIFIED'])
})

test('to replace a webhook whose secret is not on this computer, the app disables it and creates another with the same URL and events [HOOK-03]', async () => {
  const id = await lostCreation()
  await workspace.handlers()['webhooks.unmatched']({})
  workspace.secrets.failWrites('locked')
  expect(failure(await workspace.handlers()['webhooks.createAgain']({ webhookId: id }))).toMatchObject({ kind: 'keychain' })
  expect(existing().map(({ status }) => status)).toEqual(['active'])
  workspace.secrets.failWrites(null)
  expect(value(await workspace.handlers()['webhooks.createAgain']({ webhookId: id }))).toMatchObject({ url, events, secret: 'keychain' })
  expect(existing().map(({ status }) => status)).toEqual(['disabled', 'active'])
})

test('when the app creates a webhook again, it keeps subscribed events that it does not know [HOOK-02]', async () => {
  await workspace.stop()
  const added = ['order.filled', 'vault.paused']
  workspace = await startWorkspace({
    speaks: (route, body) => {
      if (route !== 'GET /api/dex/developer/webhooks') return body
      const { webhooks = [], ...rest } = body as { webhooks?: object[] }
      return { ...rest, webhooks: webhooks.map((webhook) => ({ ...webhook, events: added })) }
    },
  })
  await workspace.connect()
  await workspace.signIn()
  const made = value(await create())
  // The app sends the unknown event. Only the practice exchange refuses it, because it accepts only documented names.
  expect(failure(await workspace.handlers()['webhooks.createAgain']({ webhookId: made.id }))).toMatchObject({ kind: 'refused' })
  expect(JSON.parse(sentToCreate().at(-1)?.body ?? '').events).toEqual(added)
})

test('the app hides webhooks and their secrets from another wallet, and sends nothing unless that wallet signs in [AUTH-03]', async () => {
  const { id } = value(await create())
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts')
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  for (const name of ['webhooks.copySecret', 'webhooks.reveal', 'webhooks.retryStore', 'webhooks.saveEnv'] as const)
    expect([name, failure(await workspace.handlers()[name]({ webhookId: id }))]).toEqual([name, { kind: 'not_found', what: 'secret' }])
  expect(failure(await workspace.handlers()['webhooks.list']({}))).toEqual({ kind: 'sign_in_required' })
  expect(failure(await create())).toEqual({ kind: 'sign_in_required' })
  expect(sentToCreate()).toHaveLength(1)
  expect(value(await workspace.handlers()['webhooks.unmatched']({}))).toEqual([])
})
