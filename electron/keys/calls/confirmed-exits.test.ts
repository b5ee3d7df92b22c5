import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { fail } from '../../../shared/result.ts'

const keyPath = '/api/dex/developer/keys'
const webhookPath = '/api/dex/developer/webhooks'

let workspace: Workspace
let store: ReturnType<typeof createMemorySecretStore>
let isLocked: boolean
/** True while the service lists no revoked keys and no disabled webhooks. */
let hidesOver: boolean
beforeEach(async () => {
  store = createMemorySecretStore()
  isLocked = false
  hidesOver = false
  const remove = async (account: string) => (isLocked ? fail({ kind: 'keychain' as const, code: 'locked' as const, detail: null }) : store.delete(account))
  workspace = await startWorkspace({
    keychain: { ...store, delete: remove },
    speaks: (route, body) => {
      if (!hidesOver || (route !== `GET ${keyPath}` && route !== `GET ${webhookPath}`)) return body
      const name = route.endsWith('keys') ? 'keys' : 'webhooks'
      const { [name]: all = [], ...rest } = body as Record<string, { status: string }[]>
      return { ...rest, [name]: all.filter(({ status }) => status === 'active') }
    },
  })
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const revoke = (keyId: string) => workspace.handlers()['keys.revoke']({ keyId, confirmLabel: 'bot' })
const disable = (webhookId: string) => workspace.handlers()['webhooks.disable']({ webhookId })
const createWebhook = async () => value(await workspace.handlers()['webhooks.create']({ url: 'https://bots.example/in', events: ['order.filled'] })).id
const kept = (kind: string) => [...store.entries.keys()].filter((account) => account.startsWith(kind))
const states = (wanted: string) =>
  workspace
    .journal()
    .secretOperations.list('practice', 20)
    .flatMap(({ kind, state }) => (kind === wanted ? [state] : []))

test('a revocation that the service confirmed succeeds while the keychain is locked, and a later list deletes the secret [KEY-09]', async () => {
  const id = await workspace.createKey()
  isLocked = true
  expect(value(await revoke(id))).toEqual({ leftInKeychain: true })
  expect(workspace.exchange.effects().keys).toMatchObject([{ status: 'revoked' }])
  isLocked = false
  value(await workspace.handlers()['keys.list']({}))
  await expect.poll(() => kept('key/')).toEqual([])
})

test('a webhook that the service disabled counts as disabled while the keychain is locked, and a later list deletes its secret [HOOK-04]', async () => {
  const id = await createWebhook()
  isLocked = true
  expect(value(await disable(id))).toEqual({ leftInKeychain: true })
  isLocked = false
  value(await workspace.handlers()['webhooks.list']({}))
  await expect.poll(() => kept('webhook/')).toEqual([])
})

test('the app keeps the secret of a key that only the list calls revoked [KEY-09]', async () => {
  const id = await workspace.createKey()
  await workspace.rewriteAnswers((route, answer) => {
    if (route !== `GET ${keyPath}`) return answer
    const { keys, ...rest } = answer as { keys: object[] }
    return { ...rest, keys: keys.map((key) => ({ ...key, status: 'revoked' })) }
  })
  expect(value(await workspace.handlers()['keys.list']({})).keys).toMatchObject([{ id, status: 'revoked' }])
  await workspace.settled()
  expect(kept('key/')).toHaveLength(1)
})

test('a confirmed revocation also ends an earlier one without an answer, although the service no longer lists the key [KEY-09]', async () => {
  const id = await workspace.createKey()
  hidesOver = true
  workspace.faults.dropAnswer = [{ route: `DELETE ${keyPath}/{key_id}`, times: 99 }]
  failure(await revoke(id))
  workspace.faults.dropAnswer = []
  expect(states('revoke')).toEqual(['UNKNOWN'])
  expect(value(await revoke(id))).toEqual({ leftInKeychain: false })
  expect(states('revoke')).toEqual(['SETTLED', 'SETTLED'])
})

test('a confirmed disabling also ends an earlier one without an answer, although the service no longer lists the webhook [HOOK-04]', async () => {
  const id = await createWebhook()
  hidesOver = true
  workspace.faults.dropAnswer = [{ route: `DELETE ${webhookPath}/{webhook_id}`, times: 99 }]
  failure(await disable(id))
  workspace.faults.dropAnswer = []
  expect(states('webhook_disable')).toEqual(['UNKNOWN'])
  value(await disable(id))
  expect(states('webhook_disable')).toEqual(['SETTLED', 'SETTLED'])
})
