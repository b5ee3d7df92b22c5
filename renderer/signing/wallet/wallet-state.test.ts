import { expect, test } from 'vitest'
import { isPaired, nextWalletState, type WalletEvent, type WalletState, walletOf } from './wallet-state.ts'

const wallet = { address: '0xA', chainId: 8453, peerName: 'Phone', topic: 't' }
const session = { type: 'session', wallet, expected: 8453, otherWallet: false } as const satisfies WalletEvent
const uri: WalletEvent = { type: 'uri', uri: 'wc:1', nowMs: 1, expiresAtMs: 301 }
const up: WalletEvent = { type: 'relay', light: 'up' }
const failed = (why: 'rejected' | 'expired' | 'relay_unreachable' | 'bad_project_id' | 'failed'): WalletEvent => ({
  type: 'connect_failed',
  why,
  detail: 'why',
})

function after(...events: readonly WalletEvent[]): WalletState {
  return events.reduce<WalletState>(nextWalletState, { status: { kind: 'idle', ended: null }, relay: 'off', switchedFrom: null, epoch: 0 })
}

test('the wallet’s state in the app changes from idle to a displayed pairing code when pairing starts, and then to connected', () => {
  expect(after({ type: 'connecting' })).toMatchObject({ status: { kind: 'starting' }, relay: 'connecting' })
  expect(after({ type: 'connecting' }, up, uri).status).toEqual({ kind: 'waiting', uri: 'wc:1', startedAtMs: 1, expiresAtMs: 301 })
  expect(after({ type: 'connecting' }, up, uri, session)).toMatchObject({ status: { kind: 'connected', wallet }, relay: 'up' })
})

test('the wallet’s state in the app includes the reason why a pairing attempt failed', () => {
  for (const why of ['rejected', 'expired', 'relay_unreachable', 'bad_project_id'] as const) {
    expect(after({ type: 'connecting' }, failed(why)).status).toEqual({ kind: why })
  }
  expect(after({ type: 'connecting' }, failed('failed')).status).toEqual({ kind: 'failed', detail: 'why' })
})

test('the app reports that the wallet uses another chain until the wallet switches to the right chain', () => {
  const elsewhere = { ...wallet, chainId: 1 }
  const wrong = after({ type: 'connecting' }, uri, { type: 'session', wallet: elsewhere, expected: 8453, otherWallet: false })
  expect(wrong.status).toEqual({ kind: 'wrong_chain', wallet: elsewhere, expected: 8453 })
  expect(walletOf(wrong.status)).toEqual(elsewhere)
  expect(nextWalletState(wrong, session).status.kind).toBe('connected')
})

test('the app keeps a connected wallet when an old pairing code expires or an old pairing attempt fails', () => {
  const connected = after({ type: 'connecting' }, uri, session)
  for (const event of [failed('expired'), failed('rejected'), uri, { type: 'connecting' }, { type: 'restoring' }] satisfies WalletEvent[]) {
    expect(nextWalletState(connected, event).status).toEqual(connected.status)
  }
})

test('the app keeps the pairing code on screen while the relay is unreachable, because the code works again when the relay returns', () => {
  const waiting = after({ type: 'connecting' }, up, uri)
  const away = nextWalletState(nextWalletState(waiting, { type: 'relay', light: 'down' }), failed('relay_unreachable'))
  expect(away).toMatchObject({ status: waiting.status, relay: 'down' })
})

test('the app drops the pairing code if the pairing attempt failed before the app reached the relay', () => {
  expect(after({ type: 'connecting' }, uri, failed('relay_unreachable'))).toMatchObject({ status: { kind: 'relay_unreachable' }, relay: 'down' })
})

test('the app keeps the wallet connected while the relay is unreachable', () => {
  const state = after({ type: 'connecting' }, up, uri, session, { type: 'relay', light: 'down' }, failed('relay_unreachable'))
  expect(state).toMatchObject({ status: { kind: 'connected', wallet }, relay: 'down' })
})

test('the app remembers whether the wallet or the app ended a wallet connection', () => {
  expect(after(session, { type: 'gone', by: 'by_wallet', otherWallet: false })).toMatchObject({ status: { kind: 'idle', ended: 'by_wallet' }, relay: 'off' })
  expect(walletOf(after(session, { type: 'gone', by: 'here', otherWallet: false }).status)).toBeNull()
})

const other = { ...wallet, address: '0xB' }
const toOther: WalletEvent = { ...session, wallet: other, otherWallet: true }
const back: WalletEvent = { ...session, otherWallet: true }

test('the app remembers the phone’s previous account until the phone switches back, the user dismisses the notice or the session ends', () => {
  expect(after(session).switchedFrom).toBeNull()
  expect(after(session, toOther).switchedFrom).toBe('0xA')
  expect(after(session, toOther, { ...session, wallet: { ...other, chainId: 1 } }).switchedFrom).toBe('0xA')
  expect(after(session, toOther, back).switchedFrom).toBeNull()
  expect(after(session, toOther, { type: 'switch_noted' }).switchedFrom).toBeNull()
  expect(after(session, toOther, { type: 'gone', by: 'by_wallet', otherWallet: false }).switchedFrom).toBeNull()
})

test('the app treats a refused account as no connected wallet, but lets the user unpair that account’s phone [AUTH-03]', () => {
  const refused = after(session, { type: 'refused', wallet: other, expected: '0xA', otherWallet: true })
  expect(refused.status).toEqual({ kind: 'refused', wallet: other, expected: '0xA' })
  expect(walletOf(refused.status)).toBeNull()
  expect(isPaired(refused.status)).toBe(true)
  for (const event of [uri, failed('expired'), { type: 'connecting' }, { type: 'restoring' }] satisfies WalletEvent[])
    expect(nextWalletState(refused, event).status).toEqual(refused.status)
  expect(nextWalletState(refused, session)).toMatchObject({ status: { kind: 'connected', wallet }, switchedFrom: null })
})

test('the app resets its screens for a connected wallet only if the screens showed another wallet before [AUTH-03]', () => {
  expect(after(session, { ...session, wallet: { ...wallet, chainId: 1 } }, session).epoch).toBe(0)
  expect(after(session, toOther, back).epoch).toBe(2)
  expect(after(session, { type: 'refused', wallet: other, expected: '0xA', otherWallet: true }, session).epoch).toBe(1)
})
