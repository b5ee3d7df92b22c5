import { afterEach, expect, test } from 'vitest'
import { type Desk, startDesk, value } from '../../../e2e/support/main/desk.ts'

let desk: Desk
afterEach(() => desk.stop())

const route = 'GET /api/dex/developer/keys'

/** A desk whose service lists its keys as `say` has them. */
async function listedAs(say: (keys: Record<string, unknown>[]) => unknown): Promise<void> {
  desk = await startDesk({
    // A cast at the boundary: the practice exchange lists its keys under `keys`.
    speaks: (asked, body) => (asked === route ? say((body as { keys: Record<string, unknown>[] }).keys) : body),
  })
  await desk.connect()
  await desk.signIn()
}
const list = async () => value(await desk.handlers()['keys.list']({}))
const without = (key: Record<string, unknown>, ...names: string[]) => Object.fromEntries(Object.entries(key).filter(([name]) => !names.includes(name)))

test('keys whose state is not said are not counted as if they were over [KEY-06]', async () => {
  await listedAs((keys) => ({ items: keys.map((key) => without(key, 'status')), limit: 64 }))
  await desk.createKey()
  expect(await list()).toMatchObject({ active: null, limit: 10, keys: [{ status: 'unknown' }] })
})

test('a bare number beside the list is not how many keys may be active [KEY-06]', async () => {
  await listedAs((keys) => ({ data: keys, limit: 64, max: 64 }))
  await desk.createKey()
  expect(await list()).toMatchObject({ active: 1, limit: 10 })
})
