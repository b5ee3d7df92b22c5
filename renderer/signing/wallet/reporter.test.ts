import { expect, test } from 'vitest'
import type { ConnectedWallet, WalletTaken } from '../../../shared/ipc/host/wallet.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { IpcCall } from '../../ipc/use-ipc.ts'
import { createReporter } from './reporter.ts'
import { createWalletStore } from './wallet-state.ts'

const base = 8453
const first: ConnectedWallet = { address: '0xA', chainId: base, peerName: 'Phone', topic: 't' }
const second: ConnectedWallet = { ...first, address: '0xB' }

/** A fake main process that answers each report with the next entry of `script`. Each answer waits until the test calls `answerOne`. */
function main(script: readonly (WalletTaken | 'broken')[]) {
  const log: string[] = []
  const held: (() => void)[] = []
  const answers = [...script]
  const call = ((_name: string, wallet: ConnectedWallet | null) => {
    log.push(`told ${wallet?.address ?? 'none'} on ${wallet?.chainId ?? '-'}`)
    const taken = answers.shift() ?? 'broken'
    return new Promise((resolve) => held.push(() => resolve(taken === 'broken' ? fail({ kind: 'internal', reference: 'x' }) : ok(taken))))
    // The cast is needed: this fake main process implements only one call of the IPC contract.
  }) as unknown as IpcCall
  const store = createWalletStore('idle')
  store.subscribe(({ status }) => log.push(`shown ${status.kind}${'wallet' in status ? ` ${status.wallet.address}` : ''}`))
  const report = createReporter({ call, store, screens: { drop: () => log.push('dropped'), refresh: () => log.push('refreshed') } })
  return {
    log,
    store,
    report,
    answerOne: () =>
      expect
        .poll(() => held.length)
        .toBeGreaterThan(0)
        .then(() => held.shift()?.()),
  }
}

const taken = (changed = false): WalletTaken => ({ state: 'taken', expected: null, changed })
const none: WalletTaken = { state: 'none', expected: null, changed: false }

test('the app’s window shows a wallet only after the main process accepts it, and drops the previous account’s data first [AUTH-03]', async () => {
  const { log, report, answerOne } = main([taken(), taken(true)])
  const connected = report.session(first, base)
  await expect.poll(() => log).toEqual(['told 0xA on 8453'])
  await answerOne()
  await connected
  const switched = report.session(second, base)
  await answerOne()
  await switched
  expect(log).toEqual(['told 0xA on 8453', 'refreshed', 'shown connected 0xA', 'told 0xB on 8453', 'dropped', 'shown connected 0xB'])
})

test('the app’s window shows an account that the main process refuses as refused, and shows “connected” after the wallet returns to an accepted account', async () => {
  const { log, store, report, answerOne } = main([taken(), { state: 'refused', expected: '0xA', changed: true }, taken()])
  for (const wallet of [first, second, first]) {
    const done = report.session(wallet, base)
    await answerOne()
    await done
    if (wallet === second) expect(store.getState().status).toEqual({ kind: 'refused', wallet: second, expected: '0xA' })
  }
  expect(log.filter((entry) => !entry.startsWith('told'))).toEqual([
    'refreshed',
    'shown connected 0xA',
    'dropped',
    'shown refused 0xB',
    'refreshed',
    'shown connected 0xA',
  ])
})

test('the app’s window keeps the account’s data if only the wallet’s chain changes, and reports each wallet state to the main process once', async () => {
  const { log, report, answerOne } = main([taken(), taken()])
  const both = [report.session(first, base), report.session(first, base), report.session({ ...first, chainId: 1 }, base)]
  await answerOne()
  await answerOne()
  await Promise.all(both)
  expect(log).toEqual(['told 0xA on 8453', 'refreshed', 'shown connected 0xA', 'told 0xA on 1', 'shown wrong_chain 0xA'])
})

test('the app’s window reports on loading that no wallet is connected, because the main process may remember a wallet from before a reload', async () => {
  const { log, report, answerOne } = main([none, taken(), none])
  const steps = [report.gone(null), report.session(first, base), report.gone('by_wallet'), report.gone('here')]
  for (let answer = 0; answer < 3; answer += 1) await answerOne()
  await Promise.all(steps)
  expect(log).toEqual([
    'told none on -',
    'shown idle',
    'told 0xA on 8453',
    'refreshed',
    'shown connected 0xA',
    'told none on -',
    'refreshed',
    'shown idle',
    'shown idle',
  ])
})

test('the app’s window keeps showing the wallet if a report to the main process fails, so that the user can unpair, and sends later reports', async () => {
  const { report, store, answerOne } = main(['broken', none])
  const connected = report.session(first, base)
  await answerOne()
  await connected
  expect(store.getState().status.kind).toBe('connected')
  const gone = report.gone('here')
  await answerOne()
  await gone
  expect(store.getState().status).toEqual({ kind: 'idle', ended: 'here' })
})
