import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { announceRefusals, relayTrouble, watchRelay } from './relay-watch.ts'

class FakeProvider extends EventEmitter {
  readonly connection = new EventEmitter()
}

class FakeRelayer {
  readonly events = new EventEmitter()
  connected = false
  outcome: 'opens' | 'refused' | 'silent' = 'opens'
  provider = new FakeProvider()
  on(event: string, listener: (detail: unknown) => void) {
    this.events.on(event, listener)
  }
  off(event: string, listener: (detail: unknown) => void) {
    this.events.off(event, listener)
  }
  async createProvider() {
    this.provider = new FakeProvider()
  }
  async transportOpen() {
    await this.createProvider()
    if (this.outcome === 'opens') {
      this.connected = true
      this.events.emit('relayer_connect')
      return
    }
    if (this.outcome === 'refused') this.provider.connection.emit('register_error', new Error('WebSocket connection failed'))
    await new Promise(() => undefined)
  }
}

function watched(relayer: FakeRelayer, wanted = true) {
  const lights: string[] = []
  const troubles: string[] = []
  announceRefusals(relayer)
  const watch = watchRelay({ relayer, wanted: () => wanted, onLight: (light) => lights.push(light), onTrouble: (trouble) => troubles.push(trouble) })
  return { watch, lights, troubles }
}

test('the app opens a closed connection to the WalletConnect relay on request', async () => {
  const { watch, lights } = watched(new FakeRelayer())
  expect(await watch.reach()).toBe(true)
  expect(lights).toEqual(['up'])
  watch.stop()
})

test('the app reports at once that the WalletConnect relay refused the connection, although the WalletConnect library retries for a minute', async () => {
  const relayer = new FakeRelayer()
  relayer.outcome = 'refused'
  const { watch, lights, troubles } = watched(relayer)
  expect(await watch.reach()).toBe(false)
  expect(lights).toEqual(['down'])
  expect(troubles).toEqual(['relay_unreachable'])
  watch.stop()
})

test('the app ignores an error of a relay connection that a newer connection has already replaced', async () => {
  const relayer = new FakeRelayer()
  const { watch, troubles } = watched(relayer)
  await relayer.transportOpen()
  const aside = relayer.provider
  await relayer.transportOpen()
  expect(relayer.provider).not.toBe(aside)
  expect(() => aside.emit('error', new Error('closed abnormally with code: 3000'))).not.toThrow()
  expect(troubles).toEqual([])
  watch.stop()
})

test('the app shows a lost WalletConnect relay connection as “down” while it needs the connection, and otherwise as “off”', () => {
  for (const [wanted, light] of [
    [true, 'down'],
    [false, 'off'],
  ] as const) {
    const relayer = new FakeRelayer()
    const { watch, lights } = watched(relayer, wanted)
    relayer.events.emit('relayer_disconnect')
    expect(lights).toEqual([light])
    watch.stop()
  }
})

test('the app’s watch on the WalletConnect relay removes its listeners from the library when it is stopped', () => {
  const relayer = new FakeRelayer()
  const { watch, lights } = watched(relayer)
  watch.stop()
  relayer.events.emit('relayer_connect')
  relayer.events.emit('relayer_error', new Error('x'))
  expect(lights).toEqual([])
})

test('the app distinguishes an unreachable WalletConnect relay from a relay that does not know the app’s WalletConnect project', () => {
  expect(relayTrouble(new Error('WebSocket connection closed abnormally with code: 3000 (Unauthorized: Project not found)'))).toBe('bad_project_id')
  expect(relayTrouble(new Error('WebSocket connection failed for host: wss://relay.walletconnect.org'))).toBe('relay_unreachable')
  expect(relayTrouble(undefined)).toBe('relay_unreachable')
})
