// The app's main process for the fleet proof, with a real journal and keychain. It is killed at any time. Takes commands as lines of JSON.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createKeychain } from '../../../electron/store/keychain/keychain.ts'
import { createKeychainProcess, forkKeychainWorker } from '../../../electron/store/keychain/keychain-process.ts'
import type { FleetChoice, FleetTarget } from '../../../shared/ipc/keys/fleet.ts'
import { fleetUser } from '../../support/fleet/fleet-user.ts'
import { startWorkspace, value } from '../../support/main/workspace.ts'

/** What the proof may ask of the app. `wallet`: which of the wallets the user opens. */
export type FleetCommand =
  | { readonly do: 'wallet'; readonly wallet: number }
  | { readonly do: 'make'; readonly label: string }
  | { readonly do: 'plan'; readonly items: { readonly keyId: string; readonly target: FleetTarget }[] }
  | { readonly do: 'resume' | 'look' | 'show' | 'resolve'; readonly id: string }
  | { readonly do: 'choose'; readonly id: string; readonly itemId: string; readonly choice: FleetChoice }

const [, , folder = '', hostUrl = '', ...keys] = process.argv
const accounts = keys.map((key) => privateKeyToAccount(key as `0x${string}`)) // safe cast: the proof passes private keys
const worker = join(import.meta.dirname, '../../../electron/store/keychain/keychain-worker.ts')
const keychainProcess = createKeychainProcess({ timeoutMs: 20_000, fork: () => forkKeychainWorker(worker, process.env) })
const workspace = await startWorkspace({
  folder,
  hostUrl,
  waits: true,
  keychain: createKeychain({ process: keychainProcess, service: 'Svc Desk fleet proof' }),
})
const user = fleetUser(workspace)

async function open(account: PrivateKeyAccount): Promise<void> {
  await workspace.connect(account)
  const challenge = value(await workspace.handlers()['session.challenge']({}))
  const request = value(await workspace.handlers()['session.ask']({ id: challenge.id, acceptFormat: true }))
  value(await workspace.handlers()['session.complete']({ id: challenge.id, signature: await workspace.sign(request, account) }))
  value(await workspace.handlers()['keys.list']({}))
}

async function obey(command: FleetCommand): Promise<unknown> {
  switch (command.do) {
    case 'wallet': {
      const account = accounts[command.wallet]
      if (account === undefined) throw new Error('no such wallet')
      return open(account)
    }
    case 'make': {
      const asked = {
        label: command.label,
        scopes: ['market:read', 'account:read'] as ('market:read' | 'account:read')[],
        expiresInDays: 40,
        ipAllowlist: [],
        quotas: [],
      }
      return value(await workspace.handlers()['keys.createCustom'](asked)).id
    }
    case 'plan':
      return value(await user.ask(command.items, { name: 'fleet', waitMinutes: 60 }))
    case 'resume':
      return value(await user.set(command.id, 'resume'))
    case 'look':
      return user.look(command.id)
    case 'show':
      return user.plan(command.id)
    case 'resolve': {
      value(await workspace.handlers()['keys.list']({}))
      for (const { operationId, candidates } of value(await workspace.handlers()['keys.unmatched']({}))) {
        const keyId = candidates[0]?.id ?? null
        value(await workspace.handlers()['keys.resolveUnmatched']({ operationId, keyId, action: keyId === null ? 'dismiss' : 'rotate' }))
      }
      return null
    }
    case 'choose':
      return user.choose(command.id, command.itemId, command.choice)
  }
}

const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)
say({ ready: true })
for await (const line of createInterface({ input: process.stdin }))
  try {
    say({ value: (await obey(JSON.parse(line) as FleetCommand)) ?? null }) // safe cast: the proof writes commands of this shape
  } catch (error) {
    say({ error: String(error) })
  }
process.exit(0)
