import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Desk, failure, startDesk, value } from '../../../e2e/support/main/desk.ts'

let desk: Desk
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-leaving-'))
  desk = await startDesk()
  await desk.connect()
  await desk.signIn()
})
afterEach(async () => {
  await desk.stop()
  rmSync(folder, { recursive: true, force: true })
})

const ways = {
  'keys.copySecret': (keyId: string) => desk.handlers()['keys.copySecret']({ keyId }),
  'secrets.reveal': (keyId: string) => desk.handlers()['secrets.reveal']({ keyId }),
  'secrets.saveEnv': (keyId: string) => desk.handlers()['secrets.saveEnv']({ keyId }),
  'handover.run': (keyId: string) => desk.handlers()['handover.run']({ keyId, target: 'command', options: { words: ['cat'], content: 'key' } }),
  'webhooks.copySecret': (_: string, webhookId: string) => desk.handlers()['webhooks.copySecret']({ webhookId }),
  'webhooks.reveal': (_: string, webhookId: string) => desk.handlers()['webhooks.reveal']({ webhookId }),
  'webhooks.saveEnv': (_: string, webhookId: string) => desk.handlers()['webhooks.saveEnv']({ webhookId }),
}

test.each(Object.entries(ways))('%s gives nothing once the keychain answers a locked app [V8]', async (_name, leave) => {
  const keyId = await desk.createKey('grid')
  const { id: webhookId } = value(await desk.handlers()['webhooks.create']({ url: 'https://bots.example/in', events: ['order.filled'] }))
  await desk.restart()
  await desk.connect()
  const { get } = desk.secrets
  desk.secrets.get = async (account) => {
    const found = await get(account)
    desk.locked = true
    return found
  }
  desk.chosenFiles.push(join(folder, '.env'))
  expect(failure(await leave(keyId, webhookId))).toEqual({ kind: 'locked' })
  expect(desk.copied).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})
