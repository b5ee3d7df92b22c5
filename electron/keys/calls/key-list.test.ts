import { afterEach, expect, test } from 'vitest'
import { startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'

let workspace: Workspace
afterEach(() => workspace.stop())

const route = 'GET /api/dex/developer/keys'

/** Starts a workspace whose service responds with the key list that `say` makes from the real one. */
async function listedAs(say: (keys: Record<string, unknown>[]) => unknown): Promise<void> {
  workspace = await startWorkspace({
    // The cast is safe, because the practice exchange returns its list under `keys`.
    speaks: (asked, body) => (asked === route ? say((body as { keys: Record<string, unknown>[] }).keys) : body),
  })
  await workspace.connect()
  await workspace.signIn()
}
const list = async () => value(await workspace.handlers()['keys.list']({}))
const without = (key: Record<string, unknown>, ...names: string[]) => Object.fromEntries(Object.entries(key).filter(([name]) => !names.includes(name)))

test('if the key list names no status for its keys, the app shows the number of active keys as unknown [KEY-06]', async () => {
  await listedAs((keys) => ({ items: keys.map((key) => without(key, 'status')), limit: 64 }))
  await workspace.createKey()
  expect(await list()).toMatchObject({ active: null, limit: 10, keys: [{ status: 'unknown' }] })
})

test('the app does not read an unrelated number beside the key list, such as a page size, as the limit of active keys [KEY-06]', async () => {
  await listedAs((keys) => ({ data: keys, limit: 64, max: 64 }))
  await workspace.createKey()
  expect(await list()).toMatchObject({ active: 1, limit: 10 })
})
