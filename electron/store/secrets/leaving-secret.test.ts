import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'

let workspace: Workspace
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-leaving-'))
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(async () => {
  await workspace.stop()
  rmSync(folder, { recursive: true, force: true })
})

const ways = {
  'keys.copySecret': (keyId: string) => workspace.handlers()['keys.copySecret']({ keyId }),
  'secrets.reveal': (keyId: string) => workspace.handlers()['secrets.reveal']({ keyId }),
  'secrets.saveEnv': (keyId: string) => workspace.handlers()['secrets.saveEnv']({ keyId }),
  'handover.run': (keyId: string) => workspace.handlers()['handover.run']({ keyId, target: 'command', options: { words: ['cat'], content: 'key' } }),
  'webhooks.copySecret': (_: string, webhookId: string) => workspace.handlers()['webhooks.copySecret']({ webhookId }),
  'webhooks.reveal': (_: string, webhookId: string) => workspace.handlers()['webhooks.reveal']({ webhookId }),
  'webhooks.saveEnv': (_: string, webhookId: string) => workspace.handlers()['webhooks.saveEnv']({ webhookId }),
}

test.each(Object.entries(ways))('the call %s returns no secret if the app was locked before the keychain answered [V8]', async (_name, leave) => {
  const keyId = await workspace.createKey('grid')
  const { id: webhookId } = value(await workspace.handlers()['webhooks.create']({ url: 'https://bots.example/in', events: ['order.filled'] }))
  await workspace.restart()
  await workspace.connect()
  const { get } = workspace.secrets
  workspace.secrets.get = async (account) => {
    const found = await get(account)
    workspace.locked = true
    return found
  }
  workspace.chosenFiles.push(join(folder, '.env'))
  expect(failure(await leave(keyId, webhookId))).toEqual({ kind: 'locked' })
  expect(workspace.copied).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})
