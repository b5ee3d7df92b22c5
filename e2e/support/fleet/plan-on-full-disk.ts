// Runs as a separate process. The disk becomes full before a plan makes a key, and again before it revokes the old one and the user pauses it. Prints as JSON what the plan did.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFullDisk } from '../journal/full-disk.ts'
import { startWorkspace, value } from '../main/workspace.ts'
import { callAsBot, kept, standIn, withStandIns } from './fleet-clients.ts'
import { fleetUser } from './fleet-user.ts'

const disk = createFullDisk()
const folder = mkdtempSync(join(tmpdir(), 'svc-desk-plan-disk-'))
standIn(folder, 'pass')
withStandIns(folder)
const workspace = await startWorkspace()
await workspace.connect()
await workspace.signIn()
const user = fleetUser(workspace)
const scopes: ('market:read' | 'account:read')[] = ['market:read', 'account:read']
const asked = { label: 'bot', scopes, expiresInDays: 40, ipAllowlist: [], quotas: [] }
const { id: oldId } = value(await workspace.handlers()['keys.createCustom'](asked))
const plan = value(await user.ask([{ keyId: oldId, target: { target: 'pass', options: { name: 'bot', content: 'key' } } }]))
const id = plan?.id ?? ''

const revocations = () => workspace.sent.filter(({ method, path }) => method === 'DELETE' && path.includes(oldId)).length
const look = async () => {
  await user.look(id)
  const { state, reason } = await user.item(id)
  const keys = value(await workspace.handlers()['keys.list']({})).keys.filter(({ status }) => status === 'active').length
  return { state, reason, keys, isDelivered: existsSync(join(folder, 'pass.input')), revocations: revocations() }
}
const free = () => {
  disk.free()
  workspace.clock.advance(60_000)
}
const said: Record<string, unknown> = {}

disk.fill()
value(await user.set(id, 'resume'))
said['full before the first step'] = await look()
said.journal = workspace.journal().state()
free()
said['then free'] = await look()
const secret = kept(folder, 'pass', 'input')
disk.fill()
await callAsBot(workspace.hostUrl, secret)
workspace.clock.advance(60_000)
said['full before the revocation'] = await look()
value(await user.set(id, 'pause'))
await workspace.restart(() => free())
await workspace.connect()
workspace.clock.advance(60_000)
said['paused on the full disk, after a restart'] = await look()
value(await user.set(id, 'resume'))
said['run again'] = await look()
process.stdout.write(JSON.stringify(said))
await workspace.stop()
rmSync(folder, { recursive: true, force: true })
