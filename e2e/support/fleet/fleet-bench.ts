import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { reportColumns, reportLines } from '../../../shared/fleet-report.ts'
import type { FleetItem } from '../../../shared/ipc/keys/fleet.ts'
import { replacing } from '../main/replacing.ts'
import { startWorkspace, value, type Workspace } from '../main/workspace.ts'
import { callAsBot, kept, standIn, withStandIns } from './fleet-clients.ts'
import { fleetUser } from './fleet-user.ts'

/** For a machine under load. */
export const soon = { timeout: 20_000 }
/** What the tests of a file with plans share; new for each test, if the file calls `withPlans`. A stand-in for `pass` is in `folder`. */
export let workspace: Workspace
export let user: ReturnType<typeof fleetUser>
export let keys: ReturnType<typeof replacing>
export let folder: string

/** Starts a workspace before each test of the calling file, and stops it after the test. */
export function withPlans(): void {
  let undo: () => void
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-desk-fleet-'))
    standIn(folder, 'pass')
    undo = withStandIns(folder)
    workspace = await startWorkspace()
    await workspace.connect()
    await workspace.signIn()
    user = fleetUser(workspace)
    keys = replacing(workspace)
  })
  afterEach(async () => {
    await workspace.stop()
    undo()
    rmSync(folder, { recursive: true, force: true })
  })
}

export const pass = (name = 'bot') => ({ target: 'pass', options: { name, content: 'key' } }) as const
export const delivered = () => kept(folder, 'pass', 'input')

/** A key that any address may use. */
export const reader = async (label = 'reader') =>
  value(await workspace.handlers()['keys.createCustom']({ label, scopes: ['market:read', 'account:read'], expiresInDays: 40, ipAllowlist: [], quotas: [] })).id

/** Starts a plan for new keys, and lets it go as far as it can. */
export async function running(count = 1, oldIds: string[] = []): Promise<{ id: string; oldIds: string[] }> {
  for (let index = 0; index < count; index += 1) oldIds.push(await reader(`bot-${index}`))
  const plan = value(await user.ask(oldIds.map((keyId, index) => ({ keyId, target: pass(`bot-${index}`) }))))
  if (plan === null) throw new Error('declined')
  value(await user.set(plan.id, 'resume'))
  await user.look(plan.id)
  return { id: plan.id, oldIds }
}
export const states = (items: readonly FleetItem[]) => items.map(({ state, reason }) => [state, reason])
export const statusOf = async (keyId: string) => (await keys.keys()).find(({ id }) => id === keyId)?.status
export const restart = async (meanwhile?: () => void) => {
  await workspace.restart(meanwhile)
  await workspace.connect()
}

export const deletions = () => workspace.sent.filter(({ method }) => method === 'DELETE').length
export const deletion = 'DELETE /api/dex/developer/keys/{key_id}'
export const refuseDeletions = () => {
  workspace.faults.answer = [{ route: deletion, status: 409, code: 'CONFLICT', times: 99 }]
}
/** Lets the plan try to revoke the old key, which the service refuses. */
export const refused = async (id: string) => {
  refuseDeletions()
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'revoking', proof: { how: 'audit' } })
  workspace.faults.answer = []
}
export const cellsOf = async (id: string) =>
  reportLines(await user.plan(id)).map((line) => Object.fromEntries(line.map((cell, index) => [reportColumns[index], cell])))
