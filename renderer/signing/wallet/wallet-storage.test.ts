import { expect, test } from 'vitest'
import { fail, ok } from '../../../shared/result.ts'
import { pageWork } from '../../ipc/page-work.ts'
import { createQueryClient } from '../../ipc/query-client.ts'
import type { IpcCall } from '../../ipc/use-ipc.ts'
import { openWalletStorage } from './wallet-storage.ts'

const page = () => pageWork(createQueryClient())

/** A fake main process. It stores every write, but confirms a write only when the test calls `answerOne`. */
function mainWith(stored: readonly (readonly [string, string])[], failing = false) {
  const kept = new Map(stored)
  const writes: string[] = []
  const open: (() => void)[] = []
  const call = ((name: string, input: { key: string; value: string | null }) => {
    if (name === 'wallet.storage') return Promise.resolve(failing ? fail({ kind: 'keychain', code: 'locked', detail: null }) : ok([...kept]))
    writes.push(`${input.key}=${input.value}`)
    return new Promise((resolve) => open.push(() => resolve(ok({}))))
    // The cast is needed: this fake main process implements only two calls of the IPC contract.
  }) as unknown as IpcCall
  return { call, writes, answerOne: () => open.shift()?.() }
}

test('the app’s storage for WalletConnect returns the values that the main process stored, and nothing for unknown keys', async () => {
  const storage = await openWalletStorage(mainWith([['a', '{"b":[1]}']]).call, page())
  expect(await storage.getItem('a')).toEqual({ b: [1] })
  expect(await storage.getItem('x')).toBeUndefined()
  expect(await storage.getKeys()).toEqual(['a'])
  expect(await storage.getEntries()).toEqual([['a', { b: [1] }]])
})

test('the app’s storage for WalletConnect sends its changes to the main process in order, one at a time', async () => {
  const main = mainWith([])
  const storage = await openWalletStorage(main.call, page())
  const writing = [storage.setItem('a', 1), storage.setItem('a', 2), storage.setItem('a', 2), storage.removeItem('a'), storage.removeItem('a')]
  const expected = ['a=1', 'a=2', 'a=null']
  for (let count = 1; count <= expected.length; count += 1) {
    await expect.poll(() => main.writes).toEqual(expected.slice(0, count))
    main.answerOne()
  }
  await Promise.all(writing)
  expect(main.writes).toEqual(expected)
})

test('the app’s storage for WalletConnect starts empty if the main process cannot open the stored data, so that pairing still works', async () => {
  const storage = await openWalletStorage(mainWith([['a', '1']], true).call, page())
  expect(await storage.getKeys()).toEqual([])
  expect(storage.wasRead).toBe(false)
  expect((await openWalletStorage(mainWith([]).call, page())).wasRead).toBe(true)
})

test('the app detects whether a wallet session is stored, because only then must it load the WalletConnect library at start', async () => {
  const sessionOf = async (value: string) => (await openWalletStorage(mainWith([['wc@2:client:0.3:p1//session', value]]).call, page())).hasSession()
  expect(await sessionOf('[{"topic":"t"}]')).toBe(true)
  expect(await sessionOf('[]')).toBe(false)
  expect((await openWalletStorage(mainWith([['wc@2:core:0.3//keychain', '{}']]).call, page())).hasSession()).toBe(false)
})

test('the app’s storage for WalletConnect does not wait for a locked main process, and keeps each last value for the page after the unlock', async () => {
  const main = mainWith([])
  const work = page()
  const storage = await openWalletStorage(main.call, work)
  const before = storage.setItem('a', 1)
  const other = storage.setItem('b', 1)
  await expect.poll(() => main.writes).toEqual(['a=1'])
  work.setState({ locked: true })
  await Promise.all([before, other])
  await storage.setItem('a', 2)
  await storage.removeItem('b')
  expect(await storage.getItem('a')).toBe(2)
  const held = () =>
    work
      .getState()
      .held()
      .map(({ input }) => input)
  expect(held()).toEqual([
    { key: 'a', value: '2' },
    { key: 'b', value: null },
  ])
  work.setState({ locked: false })
  for (const written of [1, 2, 3, 4]) {
    await expect.poll(() => main.writes.length).toBe(written)
    main.answerOne()
  }
  await expect.poll(held).toEqual([])
  expect(main.writes).toEqual(['a=1', 'b=1', 'a=2', 'b=null'])
})
