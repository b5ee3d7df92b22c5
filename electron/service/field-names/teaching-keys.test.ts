import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Takes } from '../../../e2e/support/main/front.ts'
import { agreed, failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'

const keysPath = '/api/dex/developer/keys'
const custom = { label: 'reader', scopes: ['market:read' as const], expiresInDays: 90, ipAllowlist: [], quotas: [] }
const request = { label: 'grid-eth', expiresInDays: 90, ipAllowlist: [] }

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const wants =
  (path: RegExp, own: string, wanted: string): Takes =>
  (route, given) => {
    if (!path.test(route) || given === undefined) return { body: given }
    const { [wanted]: value, ...rest } = given as Readonly<Record<string, unknown>> // The cast is safe: the app always sends an object here.
    if (value === undefined) return { status: 422, answer: { detail: [{ loc: ['body', wanted], msg: 'field required', type: 'value_error.missing' }] } }
    return { body: { ...rest, [own]: value } }
  }
const speak = (takes: Takes) => workspace.rewriteAnswers((_, answer) => answer, takes)

const offerOf = (failed: Failure) => (failed.kind === 'refused' ? failed.offer : undefined)
async function use(failed: Failure, asks: string, field: string): Promise<void> {
  const offer = offerOf(failed)
  expect(offer).toMatchObject({ asks, candidates: [{ field, sent: field }] })
  const [first] = offer?.candidates ?? []
  const entry = { part: 'payloads', of: first?.request ?? '', field, at: asks, unit: null } as const
  value(await workspace.handlers()['fieldMap.change']({ set: [entry], remove: [], from: 'refusal' }))
}
const sentTo = (path: string) => workspace.sent.filter((sent) => sent.method === 'POST' && sent.path === path)

test('the app learns a field name from a refused preparation of a key, and prepares the key again with that name and unchanged terms [KEY-10]', async () => {
  await speak(wants(/keys\/prepare$/, 'expires_in_days', 'expiresInDays'))
  await use(failure(await workspace.handlers()['keys.prepare'](request)), 'expiresInDays', 'expires_in_days')
  value(await workspace.handlers()['keys.prepare'](request))
  expect(sentTo(`${keysPath}/prepare`).map(({ body }) => JSON.parse(body ?? ''))).toMatchObject([{ expires_in_days: 90 }, { expiresInDays: 90 }])
})

test('the app learns a field name from a refused key creation, and sends the creation again with the same signature [KEY-10]', async () => {
  const draft = value(await workspace.handlers()['keys.prepare'](request))
  const signature = await workspace.sign(value(await workspace.handlers()['keys.ask']({ draftId: draft.id, ...agreed })))
  await speak(wants(/developer\/keys$/, 'preparation_id', 'preparationId'))
  await use(failure(await workspace.handlers()['keys.create']({ draftId: draft.id, signature })), 'preparationId', 'preparation_id')
  expect(workspace.exchange.effects().keys).toEqual([])
  expect(value(await workspace.handlers()['keys.create']({ draftId: draft.id, signature: '' }))).toMatchObject({ status: 'active', secret: 'keychain' })
  const [first, second] = sentTo(keysPath).map(({ body }) => JSON.parse(body ?? ''))
  expect([second.preparationId, second.signature]).toEqual([first.preparation_id, first.signature])
})

test('the app learns a field name from the service’s refusal to store a grant, and sends the grant again with the same signature [KEY-11]', async () => {
  const { id: keyId } = value(await workspace.handlers()['keys.createCustom'](custom))
  value(await workspace.handlers()['agents.open']({ keyId }))
  const signature = await workspace.sign(value(await workspace.handlers()['agents.ask']({ keyId, ...agreed })))
  await speak(wants(/agent\/grant$/, 'signature', 'grant_signature'))
  await use(failure(await workspace.handlers()['agents.store']({ keyId, signature })), 'grant_signature', 'signature')
  expect(value(await workspace.handlers()['agents.store']({ keyId, signature: '' })).agent?.granted).toBe(true)
})

test('the app learns a field name from a refused preparation of an execution payment, and prepares the payment again with that name [KEY-13]', async () => {
  const keyId = await workspace.createKey('grid')
  await speak(wants(/execution-payment$/, 'amount_usdc', 'amountUsdc'))
  const pay = () => workspace.handlers()['agents.preparePayment']({ keyId, amountUsdc: '25.5' })
  await use(failure(await pay()), 'amountUsdc', 'amount_usdc')
  value(await pay())
  expect(sentTo(`${keysPath}/${keyId}/execution-payment`).map(({ body }) => JSON.parse(body ?? ''))).toEqual([{ amount_usdc: '25.5' }, { amountUsdc: '25.5' }])
})

test('the app learns no replacement for a documented field name when the service refuses a key creation [KEY-01]', async () => {
  await speak(wants(/developer\/keys$/, 'expires_in_days', 'days'))
  expect(failure(await workspace.handlers()['keys.createCustom'](custom))).not.toHaveProperty('offer')
})
