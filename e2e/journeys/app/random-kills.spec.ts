import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Arbitrary, constantFrom, nat, oneof, record, sample } from 'fast-check'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { pair, signIn } from '../../pages/ready.ts'
import { appValue, callApp } from '../../support/bridge.ts'
import type { Desk } from '../../support/desk.ts'
import { expect, test } from '../../support/fixtures.ts'
import { keptSecrets } from '../../support/keyring.ts'
import { death, diesAtWrite } from '../../support/sudden-death.ts'

/** The number of kills of this run. `npm run prove -- kills` runs 20 for each of ten seeds. */
const kills = Number(process.env.SVC_DESK_KILLS ?? 6)
/** Time between an action of the exchange and its response, in ms. The test may kill the app during this time. */
const answerMs = 400
const midwayMs = 60_000
const changeRoutes = ['POST /api/dex/developer/keys', 'POST /api/dex/developer/keys/{key_id}/rotate', 'DELETE /api/dex/developer/keys/{key_id}']
const anyKill = record({
  action: constantFrom('create', 'rotate', 'replace', 'revoke'),
  pick: nat(7),
  /** When the app is killed. `atWrite`: before this journal write, counted from 0. `afterMs`: this time after the button press. */
  moment: oneof(record({ atWrite: nat(10) }), record({ afterMs: nat(answerMs) })),
})
type Drawn = typeof anyKill extends Arbitrary<infer Value> ? Value : never
type Kill = Drawn | (Omit<Drawn, 'moment'> & { readonly moment: 'acted' })

/** Kills that always happen after the exchange has acted and before it responds. */
const midway: readonly Kill[] = [
  { action: 'create', pick: 0, moment: 'acted' },
  { action: 'create', pick: 0, moment: 'acted' },
  { action: 'rotate', pick: 0, moment: 'acted' },
]

const activeKeys = async (page: Page): Promise<KeySummary[]> => (await appValue(page, 'keys.list', {})).keys.filter(({ status }) => status === 'active')

/** Presses the buttons of one action in sequence, as a user would. The app may be killed at any time meanwhile. */
async function press(page: Page, { action }: Kill, key: KeySummary | undefined, label: string): Promise<void> {
  const terms = { label, scopes: ['market:read' as const, 'account:read' as const], expiresInDays: 30, ipAllowlist: [], quotas: [] }
  if (action === 'create' || key === undefined) return void (await callApp(page, 'keys.createCustom', terms))
  const named = { keyId: key.id, confirmLabel: key.label }
  if (action === 'rotate') return void (await callApp(page, 'keys.rotate', named))
  if (action === 'revoke') return void (await callApp(page, 'keys.revoke', named))
  const started = await callApp(page, 'replacements.start', { keyId: key.id, label: null, expiresInDays: null, notBeforeMs: null })
  if (!started.ok) return
  for (const step of ['begin', 'probe', 'handed_over', 'revoke'] as const)
    await callApp(page, 'replacements.advance', { id: started.value.id, step, confirmLabel: step === 'revoke' ? key.label : null })
}

test(`after ${kills} random kills of the app during key actions, no key or secret is lost, and every unknown outcome is resolved [KEY-05, KEY-07, KEY-16]`, async ({
  open,
  practice,
}) => {
  test.setTimeout(240_000)
  const seed = Number(process.env.SVC_DESK_SEED ?? randomInt(2 ** 31))
  process.stdout.write(`random kills: SVC_DESK_SEED=${seed}\n`)
  let desk: Desk = await open()
  const phone = await pair(desk)
  await signIn(desk.main, phone)
  const works = async (secret: string): Promise<boolean> =>
    (await fetch(`${practice.descriptor.hostUrl}/api/dex/v1/markets`, { headers: { 'x-svc-api-key': secret } })).status === 200
  expect(await works(`SVC${'0'.repeat(40)}`)).toBe(false)
  const activeThere = async () => (await practice.effects()).keys.filter(({ status }) => status === 'active').map(({ key_id }) => key_id)
  const secretHere = async (keyId: string): Promise<boolean> => {
    for (const secret of keptSecrets(keyId)) if (await works(secret)) return true
    return false
  }

  const answerAfter = (ms: number) => practice.faults({ delay: changeRoutes.map((route) => ({ route, ms })) })
  let unknown = 0
  for (const [index, kill] of [...midway, ...sample(anyKill, { seed, numRuns: kills - midway.length })].entries()) {
    const keys = await activeKeys(desk.main)
    const key = keys[kill.pick % Math.max(1, keys.length)]
    const { moment } = kill
    await answerAfter(moment === 'acted' ? midwayMs : answerMs)
    if (moment !== 'acted' && 'atWrite' in moment) await diesAtWrite(desk, moment.atWrite)
    const before = (await practice.effects()).keys
    const pressed = press(desk.main, kill, key, `k${index}`).catch(() => undefined)
    if (moment === 'acted') await expect.poll(async () => (await practice.effects()).keys, { timeout: 30_000 }).not.toEqual(before)
    else if ('afterMs' in moment) await Promise.race([pressed, new Promise((resolve) => setTimeout(resolve, moment.afterMs))])
    else await Promise.race([pressed, death(desk)])
    await desk.kill()
    desk = await open()
    // The window may reload while the app reconnects to the exchange.
    await expect(async () => void (await appValue(desk.main, 'keys.list', {}))).toPass({ timeout: 30_000 })

    unknown += (await appValue(desk.main, 'activity.secrets', { limit: 200 })).filter(({ state }) => state === 'UNKNOWN').length
    const unmatched = (await appValue(desk.main, 'keys.unmatched', {})).flatMap(({ candidates }) => candidates.map(({ id }) => id))
    const listed = new Map((await activeKeys(desk.main)).map((one) => [one.id, one]))
    for (const keyId of await activeThere()) {
      const story = JSON.stringify({ kill, keyId, listed: listed.get(keyId), unmatched })
      expect(listed.has(keyId), `listed: ${story}`).toBe(true)
      expect(unmatched.includes(keyId) || (await secretHere(keyId)), `explained: ${story}`).toBe(true)
    }
  }

  await practice.clearFaults()
  // After this wait, a lost request can no longer reach the exchange. The test then resolves each unmatched key with an action from the key list.
  await practice.advance(30_000)
  for (let turn = 0; turn < 20; turn += 1) {
    const [unmatched] = await appValue(desk.main, 'keys.unmatched', {})
    if (unmatched === undefined) break
    const action = unmatched.kind === 'rotate' && unmatched.oldSecret === 'works' ? 'dismiss' : turn % 2 === 0 ? 'rotate' : 'revoke'
    await appValue(desk.main, 'keys.resolveUnmatched', { operationId: unmatched.operationId, keyId: unmatched.candidates[0]?.id ?? null, action })
    await practice.advance(30_000)
  }
  expect(await appValue(desk.main, 'keys.unmatched', {})).toEqual([])
  expect(unknown, 'some of it was lost').toBeGreaterThan(0)
  await expect
    .poll(async () => {
      await appValue(desk.main, 'keys.list', {})
      return (await appValue(desk.main, 'activity.secrets', { limit: 200 })).filter(({ state }) => !['VERIFIED', 'FAILED', 'SETTLED'].includes(state))
    })
    .toEqual([])
  for (const keyId of await activeThere()) expect(await secretHere(keyId), `the secret of ${keyId} is in the keychain and works`).toBe(true)
  // A press must create at most one key. So no two keys may have the same label.
  const labels = (await practice.effects()).keys.map(({ label }) => label.replace(/ #[0-9a-f]{6}$/, ''))
  expect(labels.length).toBeGreaterThan(0)
  expect(labels.length).toBe(new Set(labels).size)
})
